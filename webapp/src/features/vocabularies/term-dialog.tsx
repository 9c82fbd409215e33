import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { Lexicon } from '@/api/resources/lexicons';
import { createTerm, updateTerm, type LexiconTerm } from '@/api/resources/terms';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';
import { draftOf, EMPTY_DRAFT, termOf, type TermDraft } from './term-draft';
import { useRefreshVocabularies } from './use-lexicons';
import styles from './vocabularies.module.css';

/** Longest values that the server stores. */
const LONGEST = { identifier: 512, preferredForm: 1000 } as const;
/** Fields of which each line is one value. */
const LISTS = ['forms', 'definitions', 'broader', 'related'] as const;

interface TermDialogProps {
  readonly project: string;
  /** Lexicons whose terms may be edited by hand. */
  readonly lexicons: readonly Lexicon[];
  /** Absent: a new one. */
  readonly term?: LexiconTerm | undefined;
  /** Lexicon of a new term. */
  readonly lexicon: string;
  readonly onClose: () => void;
  readonly onSaved: (term: LexiconTerm) => void;
}

type Missing = (field: 'identifier' | 'preferredForm') => string | undefined;

interface FieldsProps {
  readonly draft: TermDraft;
  readonly change: (part: Partial<TermDraft>) => void;
  readonly isNew: boolean;
  readonly lexicons: readonly Lexicon[];
  readonly problem: Missing;
}

function TermFields({ draft, change, isNew, lexicons, problem }: FieldsProps) {
  const { t } = useTranslation('vocabularies');
  return (
    <div className={styles['fields']}>
      <SelectInput
        label={t('column.lexicon')}
        value={draft.lexicon}
        disabled={!isNew}
        options={lexicons.map(({ name, label }) => ({ value: name, label }))}
        onChange={(lexicon) => change({ lexicon })}
      />
      <TextInput
        label={t('term.preferredForm')}
        value={draft.preferredForm}
        onChange={(preferredForm) => change({ preferredForm })}
        maxLength={LONGEST.preferredForm}
        error={problem('preferredForm')}
        autoFocus
      />
      <TextInput
        label={t('term.identifier')}
        help={t(isNew ? 'term.identifierHelp' : 'term.identifierChangeHelp')}
        value={draft.identifier}
        onChange={(identifier) => change({ identifier })}
        maxLength={LONGEST.identifier}
        error={problem('identifier')}
      />
      {LISTS.map((name) => (
        <TextInput
          key={name}
          label={t(`term.${name}`)}
          help={t(`term.${name}Help`)}
          rows={name === 'forms' ? 3 : 2}
          value={draft[name]}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
      <SwitchRow
        label={t('term.obsolete')}
        help={t('term.obsoleteHelp')}
        checked={draft.obsolete}
        onChange={(obsolete) => change({ obsolete })}
      />
    </div>
  );
}

/** Creates or edits a term by hand, where its lexicon allows it (S-048). */
export function TermDialog({ project, lexicons, term, lexicon, onClose, onSaved }: TermDialogProps) {
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshVocabularies();
  const [tried, setTried] = useState(false);
  const [draft, setDraft] = useState<TermDraft>(() => (term === undefined ? { ...EMPTY_DRAFT, lexicon } : draftOf(term)));
  const made = termOf(draft, term);
  const save = useMutation({
    mutationFn: async () => {
      if (term === undefined) await createTerm(project, made);
      else await updateTerm(project, term, made);
    },
    onSuccess: async () => {
      await refresh();
      onSaved(made);
      onClose();
    },
    meta: { errorTitle: 'term' },
  });
  const refused = save.error instanceof ApiError ? save.error.fields : [];
  const problem: Missing = (field) => {
    const empty = made[field] === '' ? t(`term.${field}Missing`) : undefined;
    return (tried ? empty : undefined) ?? refused.find((one) => one.field === field)?.message;
  };
  return (
    <FormDialog
      title={t(term === undefined ? 'term.new' : 'term.editTitle', { name: term?.preferredForm ?? term?.identifier ?? '' })}
      submitLabel={t(term === undefined ? 'term.create' : 'save')}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        if (made.identifier !== '' && made.preferredForm !== '') save.mutate();
      }}
    >
      <TermFields
        draft={draft}
        change={(part) => setDraft({ ...draft, ...part })}
        isNew={term === undefined}
        lexicons={lexicons}
        problem={problem}
      />
    </FormDialog>
  );
}
