import { Check, X } from 'lucide-react';
import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GRADES, type Grade, type Passage } from '@/api/resources/questions';
import { useProjectName } from '@/state/session-store';
import { Badge, KeyCap } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { Tooltip } from '@/ui/tooltip';
import { countJudged, judgementOf } from './judging-rules';
import { JudgingContext, useJudging, useJudgingContext } from './use-judging';
import styles from './questions.module.css';

/** Asked before the first judgement of a question that is not saved. */
function SaveQuestionDialog(): ReactNode {
  const { t } = useTranslation(['questions', 'common']);
  const judging = useJudgingContext();
  if (judging?.waiting === undefined) return null;
  const { text, confirm, cancel, saving } = judging;
  return (
    <Dialog
      open
      width="small"
      title={t('judge.saveTitle')}
      locked={saving}
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel} disabled={saving}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" autoFocus busy={saving} onClick={confirm}>
            {t('judge.saveAndJudge')}
          </Button>
        </>
      }
    >
      <p className={styles['quoted']}>{text}</p>
      <p>{t('judge.saveText')}</p>
    </Dialog>
  );
}

/** The passages inside are judged for the question with this text; an empty text: nothing is judged. */
export function JudgingProvider({ text, children }: { readonly text: string; readonly children: ReactNode }): ReactNode {
  const judging = useJudging(useProjectName(), text.trim());
  return (
    <JudgingContext value={judging.text === '' ? undefined : judging}>
      {children}
      <SaveQuestionDialog />
    </JudgingContext>
  );
}

/** One tab stop for the four grades: arrows move between them. */
function moveBetweenGrades(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const buttons = [...(event.currentTarget.closest('[data-judgement]')?.querySelectorAll('button') ?? [])];
  const at = buttons.indexOf(event.currentTarget);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

const toneOf = (grade: Grade) => (grade === 0 ? 'error' : 'success');

function GradeBadge({ grade }: { readonly grade: Grade }): ReactNode {
  const { t } = useTranslation('questions');
  return (
    <Badge tone={toneOf(grade)} icon={grade === 0 ? X : Check}>
      {t(`grade.${String(grade)}`)}
    </Badge>
  );
}

export interface PassageJudgementProps {
  readonly passage: Passage;
  /** Of its document, for screen readers. */
  readonly title: string;
}

/** The grade of a passage for the present question, and the buttons that set it; the pressed one clears it. */
export function PassageJudgement({ passage, title }: PassageJudgementProps): ReactNode {
  const { t } = useTranslation('questions');
  const judging = useJudgingContext();
  const id = useId();
  if (judging === undefined) return null;
  const grade = judgementOf(judging.judgements, passage)?.grade;
  if (!judging.mayJudge) return grade === undefined ? null : <GradeBadge grade={grade} />;
  return (
    <div
      role="group"
      aria-label={t('judge.of', { title })}
      aria-describedby={grade === undefined ? undefined : id}
      data-judgement
      tabIndex={-1}
      className={styles['judgement']}
    >
      <span className={styles['grades']}>
        {GRADES.map((one) => (
          <Tooltip key={one} title={t(`grade.${String(one)}`)} detail={one === grade ? t('judge.again') : undefined} keyCap={String(one)}>
            <button
              type="button"
              data-grade={one}
              data-tone={toneOf(one)}
              aria-pressed={one === grade}
              aria-label={t('judge.as', { grade: one, name: t(`grade.${String(one)}`) })}
              tabIndex={one === (grade ?? 0) ? 0 : -1}
              onKeyDown={moveBetweenGrades}
              onClick={() => judging.judge({ passage, grade: one === grade ? undefined : one })}
            >
              {one === 0 ? <X size={12} aria-hidden /> : one}
            </button>
          </Tooltip>
        ))}
      </span>
      {grade !== undefined && (
        <span id={id} className={styles['graded']}>
          {t(`grade.${String(grade)}`)}
        </span>
      )}
    </div>
  );
}

/** Above the passages: whether the question is saved, what is judged, and the keys. */
export function JudgingBar(): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  const judging = useJudgingContext();
  if (judging === undefined || judging.question === undefined) return null;
  const { question, judgements, mayJudge } = judging;
  if (question === null && !mayJudge) return null;
  const { judged, relevant } = countJudged(judgements);
  return (
    <p className={styles['bar']}>
      <span role="status">
        {question === null
          ? t('judge.notSaved')
          : t('judge.counts', { count: judged, number: format.number(judged), relevant: format.number(relevant) })}
      </span>
      {mayJudge && (
        <span className={styles['keys']}>
          <KeyCap>J</KeyCap> <KeyCap>K</KeyCap> {t('judge.keysMove')} <KeyCap>0</KeyCap> {t('judge.keysNot')} <KeyCap>1</KeyCap>–
          <KeyCap>3</KeyCap> {t('judge.keysRelevant')} <KeyCap>⌫</KeyCap> {t('judge.keysClear')}
        </span>
      )}
    </p>
  );
}
