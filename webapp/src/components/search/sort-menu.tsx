import { ArrowDownUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/button';
import { Menu } from '@/components/menu';

/** Orders of hits, as they travel; empty: the best first. */
export const SORTS = ['', '-createdDate', 'createdDate', '-modifiedDate', '-activity'] as const;

interface SortMenuProps {
  readonly value: string;
  readonly onChange: (sort: string) => void;
}

export function SortMenu({ value, onChange }: SortMenuProps): ReactNode {
  const { t } = useTranslation('search');
  const word = (sort: string) => t(`sort.${sort === '' ? 'best' : sort}`);
  const known = SORTS.find((sort) => sort === value) ?? '';
  return (
    <Menu
      label={t('sort.title')}
      align="right"
      entries={SORTS.map((sort) => ({
        key: sort === '' ? 'best' : sort,
        label: word(sort),
        checked: sort === known,
        onSelect: () => onChange(sort),
      }))}
      trigger={(props) => (
        <Button kind="quiet" small icon={ArrowDownUp} aria-label={t('sort.is', { order: word(known) })} {...props}>
          {word(known)}
        </Button>
      )}
    />
  );
}
