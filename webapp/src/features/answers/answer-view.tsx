import { BookmarkCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, KnownAnswer } from '@/api/resources/answers';
import { textDirection } from '@/text/direction';
import { CopyButton } from '@/ui/copy-button';
import { Disclosure } from '@/ui/disclosure';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { answerParts, answerWithSources } from './answer-parts';
import { CitationMark } from './citation-mark';
import styles from './answers.module.css';

interface AnswerTextProps {
  readonly answer: Answer;
  readonly onPoint: (number: number | undefined) => void;
}

function AnswerText({ answer, onPoint }: AnswerTextProps): ReactNode {
  const { t } = useTranslation('answers');
  const running = answer.status === 'running';
  // What was interrupted was not compared with the passages.
  const checked = answer.status === 'done';
  return (
    <p className={styles['text']} dir={textDirection(answer.text)} data-running={running || undefined}>
      {answerParts(answer).map((part, index) => (
        <span key={index}>
          {part.unsupported && checked ? <mark title={t('unsupported')}>{part.text}</mark> : part.text}
          {part.citations.map((citation, at) => {
            const passage = answer.passages.find(({ number }) => number === citation.passage);
            return passage === undefined ? null : <CitationMark key={at} {...{ citation, passage, onPoint }} />;
          })}
        </span>
      ))}
    </p>
  );
}

/** Lower costs would be shown as 0. */
const SMALLEST_COST = 0.01;

/** From how many passages, how long, by whom. */
function AnswerFacts({ answer }: { readonly answer: Answer }): ReactNode {
  const { t } = useTranslation('answers');
  const format = useFormat();
  const cited = new Set(answer.citations.map(({ passage }) => passage)).size;
  const count = answer.passages.length;
  const seconds = format.number(Math.round(answer.milliseconds.total / 10) / 100);
  const cost = answer.usage.cost ?? 0;
  const source = () => {
    if (answer.status === 'running') return [t('writing', { count })];
    if (answer.status !== 'done') return answer.text === '' ? [] : [t('partOnly')];
    return [answer.text === '' ? t('lookedIn', { count }) : t('answeredFrom', { cited, count })];
  };
  const facts = [
    ...source(),
    ...(answer.status === 'done' ? [t('answeredIn', { seconds })] : []),
    ...(answer.model === '' ? [] : [answer.model]),
    ...(cost >= SMALLEST_COST ? [t('cost', { cost: format.number(cost) })] : []),
    ...(cost > 0 && cost < SMALLEST_COST ? [t('costBelow', { cost: format.number(SMALLEST_COST) })] : []),
  ];
  return facts.length === 0 ? null : <p className={styles['note']}>{facts.join(' · ')}</p>;
}

/** S-029: the answer of a saved question that is nearly the same. */
function KnownAnswerNotice({ answer }: { readonly answer: Answer & { readonly knownAnswer?: KnownAnswer | null } }): ReactNode {
  const { t } = useTranslation('answers');
  const known = answer.knownAnswer;
  if (known === undefined || known === null) return null;
  return (
    <Notice tone="info" icon={BookmarkCheck}>
      {t('knownAnswer', { question: known.question })}
    </Notice>
  );
}

interface AnswerViewProps {
  readonly answer: Answer;
  readonly onPoint?: (number: number | undefined) => void;
  /** Below the text, e.g. feedback. */
  readonly children?: ReactNode;
}

/** Catalogue key of what stands in place of the text. */
function textOfNone(status: Answer['status']): string {
  if (status === 'running') return 'waiting';
  if (status === 'stopped') return 'stopped';
  return status === 'done' ? 'notTold' : 'noText';
}

const NOBODY = () => undefined;

/** An answer with its citations, and the context that was used. */
export function AnswerView({ answer, onPoint = NOBODY, children }: AnswerViewProps): ReactNode {
  const { t } = useTranslation('answers');
  const running = answer.status === 'running';
  return (
    <section className={styles['answer']} aria-label={t('answer')} aria-live="polite" aria-busy={running}>
      <AnswerFacts answer={answer} />
      <KnownAnswerNotice answer={answer} />
      {answer.text === '' ? (
        <p className={styles['none']}>{t(textOfNone(answer.status))}</p>
      ) : (
        <AnswerText answer={answer} onPoint={onPoint} />
      )}
      {answer.status === 'stopped' && answer.text !== '' && <p className={styles['note']}>{t('stoppedHere')}</p>}
      {!answer.supported && answer.status === 'done' && <Notice tone="warning">{t('unsupported')}</Notice>}
      {answer.text !== '' && !running && (
        <div className={styles['actions']}>
          <CopyButton small text={answerWithSources(answer)} label={t('copy')} />
          {children}
        </div>
      )}
      {answer.text === '' && answer.status === 'done' && children}
      {answer.context !== '' && (
        <Disclosure summary={t('context')}>
          <pre className={styles['context']} dir={textDirection(answer.context)} tabIndex={0}>
            {answer.context}
          </pre>
        </Disclosure>
      )}
    </section>
  );
}
