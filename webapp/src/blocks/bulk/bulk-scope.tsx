/** C-072, V-017: choice of the scope of a bulk action, with the number of items. */
import { useQueries } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import {
  BULK_SCOPES,
  bulkCountQuery,
  bulkSearchParams,
  isDefaultSearch,
  type BulkCount,
  type BulkScope,
  type BulkTarget,
} from '@/api/resources/bulk-actions';
import { useFormat } from '@/ui/format';
import styles from './bulk.module.css';

/** What the action affects: documents, or for one action the segments themselves. */
export type BulkItemType = 'documents' | 'segments';

/** Scopes that make sense on a screen: no selection without ticked hits, only all documents without a search. */
export function availableScopes(target: BulkTarget): readonly BulkScope[] {
  return BULK_SCOPES.filter((scope) => scope !== 'selection' || target.selection.length > 0);
}

export function isScopeDisabled(target: BulkTarget, scope: BulkScope): boolean {
  return (scope === 'currentSearch' || scope === 'invertSearch') && isDefaultSearch(target);
}

/** The initial scope: the selection, else the search. */
export function defaultScope(target: BulkTarget): BulkScope {
  if (target.selection.length > 0) return 'selection';
  return isDefaultSearch(target) ? 'wholeDocuments' : 'currentSearch';
}

export interface ScopeCounts {
  /** The count of the scope; undefined while it is being counted. */
  readonly of: (scope: BulkScope) => BulkCount | undefined;
}

export function useScopeCounts(project: string, kind: BulkItemType, target: BulkTarget): ScopeCounts {
  const scopes = availableScopes(target);
  const counts = useQueries({
    queries: scopes.map((scope) => ({
      ...bulkCountQuery(project, kind, bulkSearchParams(target, scope)),
      enabled: !isScopeDisabled(target, scope),
    })),
  });
  return { of: (scope) => counts[scopes.indexOf(scope)]?.data };
}

interface BulkScopePickerProps {
  readonly target: BulkTarget;
  readonly kind: BulkItemType;
  readonly counts: ScopeCounts;
  readonly value: BulkScope;
  readonly onChange: (scope: BulkScope) => void;
}

export function BulkScopePicker({ target, kind, counts, value, onChange }: BulkScopePickerProps) {
  const { t } = useTranslation('bulk');
  const format = useFormat();
  const id = useId();
  const countText = (count: BulkCount | undefined) => {
    if (count === undefined) return '…';
    if (kind === 'segments') return t('segments', { count: count.segments ?? 0, number: format.number(count.segments ?? 0) });
    return t('documents', { count: count.documents, number: format.number(count.documents) });
  };
  const byMeaning = target.search.searchType !== 'text' && value !== 'selection' && value !== 'wholeDocuments';
  return (
    <fieldset className={styles['scope']}>
      <legend>{t('scope.title')}</legend>
      {availableScopes(target).map((scope) => {
        const disabled = isScopeDisabled(target, scope);
        return (
          <label key={scope} data-disabled={disabled || undefined}>
            <input type="radio" name={id} checked={value === scope} disabled={disabled} onChange={() => onChange(scope)} />
            <span>{t(`scope.${target.searchIn}.${scope}`)}</span>
            {!disabled && <span className={styles['count']}>{countText(counts.of(scope))}</span>}
          </label>
        );
      })}
      {target.searchIn === 'segments' && kind === 'documents' && <p className={styles['note']}>{t('scope.ofSegments')}</p>}
      {byMeaning && <p className={styles['note']}>{t('scope.byMeaning')}</p>}
    </fieldset>
  );
}
