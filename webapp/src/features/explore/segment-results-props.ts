import type { ReactNode } from 'react';
import type { SearchTotal } from '@/api/resources/search';
import type { SegmentHit } from '@/api/resources/segments';
import type { ChangeAddress, SearchAddress } from '@/state/search-address';
import type { PageProps } from '@/ui/page';

export interface SegmentResultsProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
  readonly hits: readonly SegmentHit[];
  readonly total: SearchTotal | undefined;
  /** Page size. */
  readonly size: number;
  readonly stale: boolean;
  readonly page: Pick<PageProps, 'filters' | 'activeFilters' | 'onClearFilters'>;
  readonly toolbar: (end: ReactNode) => ReactNode;
  readonly chips: ReactNode;
  /** Shown instead of results: loading, nothing, an error. */
  readonly children: ReactNode;
}
