import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ReactNode } from 'react';
import type { Answer, AnswerPassage } from '@/api/resources/answers';
import { textDirection } from '@/text/direction';
import { CopyButton } from '@/ui/copy-button';
import { Disclosure } from '@/ui/disclosure';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { Tooltip } from '@/ui/tooltip';
import { answerParts, answerWithSources, type CitedPassage } from './answer-parts';
import { passagePath, titleOf } from './passage-list';
import styles from './answers.module.css';

function CitationMark({ citation, passages }: { readonly citation: CitedPassage; readonly passages: readonly AnswerPassage[] }): ReactNode {
  const { t } = useTranslation('answers');
  const passage = passages.find(({ number }) => number === citation.passage);
  if (passage === undefined) return null;
  return (
    <Tooltip title={citation.quote.trim()} detail={titleOf(passage)}>
      <Link
        className={styles['citation']}
        to={passagePath(passage.documentIdentifier, citation.documentStart)}
        aria-label={t('citation', { number: citation.passage, title: titleOf(passage) })}
      >
        {citation.passage}
      </Link>
    </Tooltip>
  );
}

function AnswerText({ answer }: { readonly answer: Answer }): ReactNode {
  const { t } = useTranslation('answers');
  return (
    <p className={styles['text']} dir={textDirection(answer.text)}>
      {answerParts(answer).map((part, index) => (
        <span key={index}>
          {part.unsupported ? <mark title={t('unsupported')}>{part.text}</mark> : part.text}
          {part.citations.map((citation, at) => (
            <CitationMark key={at} citation={citation} passages={answer.passages} />
          ))}
        </span>
      ))}
    </p>
  );
}

/** An answer with its citations, and the context that was used. */
export function AnswerView({ answer }: { readonly answer: Answer }): ReactNode {
  const { t } = useTranslation('answers');
  const format = useFormat();
  return (
    <>
      <section className={styles['answer']} aria-label={t('answer')} aria-live="polite">
        {answer.text === '' ? (
          <p className={styles['none']}>{t(answer.status === 'failed' ? 'noText' : 'notTold')}</p>
        ) : (
          <AnswerText answer={answer} />
        )}
        {!answer.supported && <Notice tone="warning">{t('unsupported')}</Notice>}
        <footer>
          <span className={styles['note']}>
            {t('answeredIn', { seconds: format.number(Math.round(answer.milliseconds.total / 10) / 100) })}
            {answer.model !== '' && ` · ${answer.model}`}
          </span>
          {answer.text !== '' && <CopyButton small text={answerWithSources(answer)} label={t('copy')} />}
        </footer>
      </section>
      {answer.context !== '' && (
        <Disclosure summary={t('context')}>
          <pre className={styles['context']} tabIndex={0}>
            {answer.context}
          </pre>
        </Disclosure>
      )}
    </>
  );
}
