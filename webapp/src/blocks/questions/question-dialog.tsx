import { Plus, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuestionContent } from '@/api/resources/questions';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';
import { IconButton } from '@/ui/icon-button';
import styles from './questions.module.css';

/** As the server's limits: code points of a question and of an answer, answers of a question. */
export const MAX_QUESTION = 2000;
export const MAX_ANSWER = 10_000;
export const MAX_ANSWERS = 100;

export interface QuestionDialogProps {
  /** The question that is changed; absent: a new one. */
  readonly given?: QuestionContent;
  readonly busy: boolean;
  /** What the server refused. */
  readonly error?: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (content: QuestionContent) => void;
}

const lengthOf = (text: string) => [...text.trim()].length;

function KnownAnswers({ answers, onChange }: { readonly answers: readonly string[]; readonly onChange: (answers: string[]) => void }) {
  const { t } = useTranslation('questions');
  const [added, setAdded] = useState(false);
  const set = (at: number, text: string) => onChange(answers.map((answer, index) => (index === at ? text : answer)));
  return (
    <fieldset className={styles['answers']}>
      <legend>{t('dialog.answers')}</legend>
      <p>{t('dialog.answersHelp')}</p>
      {answers.map((answer, index) => (
        <div key={index} className={styles['answer']}>
          <TextInput
            hideLabel
            label={t('dialog.answer', { number: index + 1 })}
            value={answer}
            rows={1}
            autoFocus={added && index === answers.length - 1}
            onChange={(text) => set(index, text)}
            {...(lengthOf(answer) > MAX_ANSWER && { error: t('dialog.tooLong', { most: MAX_ANSWER }) })}
          />
          <IconButton
            icon={X}
            label={t('dialog.removeAnswer', { number: index + 1 })}
            onClick={() => onChange(answers.filter((_answer, at) => at !== index))}
          />
        </div>
      ))}
      {answers.length < MAX_ANSWERS && (
        <Button
          small
          icon={Plus}
          onClick={() => {
            setAdded(true);
            onChange([...answers, '']);
          }}
        >
          {t('dialog.addAnswer')}
        </Button>
      )}
    </fieldset>
  );
}

/** D-018: the text of a question, and its known answers. */
export function QuestionDialog({ given, busy, error, onClose, onSave }: QuestionDialogProps): ReactNode {
  const { t } = useTranslation(['questions', 'common']);
  const [text, setText] = useState(given?.text ?? '');
  const [answers, setAnswers] = useState<readonly string[]>(given?.answers ?? []);
  const [tried, setTried] = useState(false);
  const empty = text.trim() === '';
  const tooLong = lengthOf(text) > MAX_QUESTION;
  const problem = tooLong ? t('dialog.tooLong', { most: MAX_QUESTION }) : tried && empty ? t('dialog.empty') : error;
  const longAnswer = answers.some((answer) => lengthOf(answer) > MAX_ANSWER);
  const submit = () => {
    setTried(true);
    if (empty || tooLong || longAnswer || busy) return;
    onSave({ text: text.trim(), answers: answers.map((answer) => answer.trim()).filter((answer) => answer !== '') });
  };
  return (
    <FormDialog
      title={t(given === undefined ? 'dialog.add' : 'dialog.change')}
      submitLabel={t(given === undefined ? 'dialog.addVerb' : 'common:save')}
      busy={busy}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        autoFocus
        required
        label={t('dialog.question')}
        rows={2}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
        {...(problem !== undefined && { error: problem })}
      />
      <KnownAnswers answers={answers} onChange={setAnswers} />
    </FormDialog>
  );
}
