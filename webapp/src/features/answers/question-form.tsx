import { CornerDownRight, MessageCircleQuestionMark, Square } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import styles from './answers.module.css';

/** As the server's limit, in code points. */
export const MAX_QUESTION = 2000;

interface QuestionFormProps {
  /** The text at first. */
  readonly text?: string;
  /** For a question that follows an answer. */
  readonly next?: boolean;
  readonly busy: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}

/** A question box: Enter asks, Shift+Enter makes a line. A follow-up box is empty after it was asked. */
export function QuestionForm({ text: given = '', next = false, busy, onAsk, onStop }: QuestionFormProps): ReactNode {
  const { t } = useTranslation('answers');
  const [text, setText] = useState(given);
  const tooLong = [...text].length > MAX_QUESTION;
  const ask = () => {
    const asked = text.trim();
    if (asked === '' || tooLong || busy) return;
    onAsk(asked);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <form
      className={styles['form']}
      data-next={next || undefined}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLTextAreaElement) onKeyDown(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <TextInput
        label={t(next ? 'nextQuestion' : 'question')}
        rows={next ? 1 : 2}
        value={text}
        onChange={setText}
        placeholder={t(next ? 'nextPlaceholder' : 'placeholder')}
        autoFocus={!next}
        {...(tooLong && { error: t('tooLong', { most: MAX_QUESTION }) })}
      />
      <span className={styles['buttons']}>
        {busy && (
          <Button icon={Square} onClick={onStop}>
            {t('stop')}
          </Button>
        )}
        <Button
          kind="solid"
          icon={next ? CornerDownRight : MessageCircleQuestionMark}
          type="submit"
          keyCap="⏎"
          disabled={busy || text.trim() === '' || tooLong}
        >
          {t('ask')}
        </Button>
      </span>
    </form>
  );
}
