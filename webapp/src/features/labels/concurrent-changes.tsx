import { useTranslation } from 'react-i18next';
import { Notice } from '@/ui/notice';
import type { ConcurrentChange } from './versioned-draft';

interface ConcurrentChangesProps {
  readonly theirs: readonly ConcurrentChange[];
  /** What a field is called, and its value in words. */
  readonly texts: (one: ConcurrentChange) => { readonly name: string; readonly value: string };
}

/** Somebody else saved first: what they changed, taken over or replaced by ours with the next saving. Nothing went yet. */
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
