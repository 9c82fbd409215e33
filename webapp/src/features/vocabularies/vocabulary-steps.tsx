/** What leads from a file to found terms, where nothing is there yet. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { gazetteersQuery } from '@/api/resources/gazetteers';
import { lexiconsQuery } from '@/api/resources/lexicons';
import { EmptyState } from '@/ui/placeholder-states';

interface VocabularyStepsProps {
  readonly project: string;
  /** Title and text: `empty.<what>.title`, `empty.<what>.text`. */
  readonly what: 'lexicons' | 'annotators' | 'terms';
  readonly actions: ReactNode;
}

/** The three steps, those done marked: read a file, synchronise an annotator, read the terms in the texts. */
export function VocabularySteps({ project, what, actions }: VocabularyStepsProps) {
  const { t } = useTranslation('vocabularies');
  const { data: lexicons = [] } = useQuery({ ...lexiconsQuery(project), meta: { silent: true } });
  const { data: gazetteers = [] } = useQuery({ ...gazetteersQuery(project), meta: { silent: true } });
  const synchronised = gazetteers.some(({ models }) => models > 0);
  const steps = [
    { key: 'file', done: lexicons.some(({ terms = 0 }) => terms > 0) },
    { key: 'synchronise', done: synchronised },
    { key: 'read', done: false },
  ];
  return (
    <EmptyState
      title={t(`empty.${what}.title`)}
      checklist={steps.map(({ key, done }) => ({ key, done, text: t(`steps.${key}`) }))}
      actions={actions}
    >
      {t(`empty.${what}.text`)}
    </EmptyState>
  );
}
