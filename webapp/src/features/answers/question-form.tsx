import { MessageCircleQuestionMark, Square } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { hasVectors } from '@/blocks/search/search-mode';
import type { AnswersAddress } from '@/state/answers-address';
import type { SearchType } from '@/state/search-types';
import { useCan } from '@/state/session-store';
import { Button } from '@/ui/button';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import styles from './answers.module.css';

/** As the server's limit, in code points. */
export const MAX_QUESTION = 2000;

interface QuestionFormProps {
  readonly asked: AnswersAddress;
  readonly busy: boolean;
  readonly onAsk: (question: AnswersAddress) => void;
  readonly onStop: () => void;
}

function SearchTypeSelect({ value, onChange }: { readonly value: SearchType; readonly onChange: (value: SearchType) => void }): ReactNode {
  const { t } = useTranslation('answers');
  const { project } = useProjectLabels();
  const mayHybrid = useCan('useHybridSearch');
  if (!hasVectors(project)) return null;
  // `text` lets the project's plan decide.
  const types: readonly SearchType[] = mayHybrid ? ['text', 'vector', 'hybrid'] : ['text', 'vector'];
  return (
    <SelectInput<SearchType>
      label={t('searchType')}
      value={value}
      options={types.map((type) => ({ value: type, label: type === 'text' ? t('automatic') : t(`search:type.${type}`) }))}
      onChange={onChange}
    />
  );
}

export function QuestionForm({ asked, busy, onAsk, onStop }: QuestionFormProps): ReactNode {
  const { t } = useTranslation(['answers', 'search']);
  const [text, setText] = useState(asked.query);
  const [shown, setShown] = useState(asked.query);
  if (shown !== asked.query) {
    setShown(asked.query);
    setText(asked.query);
  }
  const tooLong = [...text].length > MAX_QUESTION;
  const ask = (part: Partial<AnswersAddress> = {}) => {
    if (text.trim() !== '' && !tooLong) onAsk({ ...asked, query: text.trim(), ...part });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <form
      className={styles['form']}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLTextAreaElement) onKeyDown(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <TextInput
        label={t('question')}
        rows={2}
        value={text}
        onChange={setText}
        placeholder={t('placeholder')}
        autoFocus
        {...(tooLong && { error: t('tooLong', { most: MAX_QUESTION }) })}
      />
      <div className={styles['options']}>
        <SearchTypeSelect value={asked.searchType} onChange={(searchType) => ask({ searchType })} />
        <SwitchRow
          label={t('excludeQuestions')}
          checked={asked.excludeQuestions}
          onChange={(excludeQuestions) => onAsk({ ...asked, excludeQuestions })}
        />
        <span className={styles['buttons']}>
          {busy && (
            <Button icon={Square} onClick={onStop}>
              {t('stop')}
            </Button>
          )}
          <Button
            kind="solid"
            icon={MessageCircleQuestionMark}
            type="submit"
            keyCap="⏎"
            busy={busy}
            disabled={text.trim() === '' || tooLong}
          >
            {t('ask')}
          </Button>
        </span>
      </div>
    </form>
  );
}
