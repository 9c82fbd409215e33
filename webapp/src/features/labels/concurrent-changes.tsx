import { useTranslation } from 'react-i18next';
import { Notice } from '@/ui/notice';
import type { ConcurrentChange } from './versioned-draft';

interface ConcurrentChangesProps {
  readonly theirs: readonly ConcurrentChange[];
  /** Name of a field, and its value as text. */
  readonly texts: (one: ConcurrentChange) => { readonly name: string; readonly value: string };
}

/** Shows changes that somebody else saved first: adopted, or overwritten by ours on the next save. Nothing has been saved yet. */
export function ConcurrentChanges({ theirs, texts }: ConcurrentChangesProps) {
  const { t } = useTranslation('labels');
  if (theirs.length === 0) return null;
  return (
    <Notice tone="warning" role="alert">
      <strong>{t('theirs.title')}</strong>
      <ul>
        {theirs.map((one) => (
          <li key={one.field} dir="auto">
            {t(one.mine ? 'theirs.replaced' : 'theirs.taken', { ...texts(one) })}
          </li>
        ))}
      </ul>
      <p>{t('theirs.again')}</p>
    </Notice>
  );
}
