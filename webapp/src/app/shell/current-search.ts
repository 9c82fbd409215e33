/** The search of the present screen, for actions outside of it. */
import { matchPath } from 'react-router';
import { bulkSearchParams, isDefaultSearch, type BulkSearch, type BulkTarget } from '@/api/resources/bulk-actions';
import { readAddress } from '@/state/search-address';

const SCREENS: readonly (readonly [pattern: string, searchIn: BulkTarget['searchIn']])[] = [
  ['/documents/:state', 'documents'],
  ['/document/:state', 'documents'],
  ['/explore/:state', 'segments'],
];

/** D-012: the search of the address; undefined without restrictions. */
export function currentSearch(pathname: string): BulkSearch | undefined {
  for (const [pattern, searchIn] of SCREENS) {
    const text = matchPath(pattern, pathname)?.params['state'];
    if (text === undefined) continue;
    const search = readAddress(text);
    const target: BulkTarget = { searchIn: search.origin === 'explore' ? 'segments' : searchIn, search, selection: [] };
    return isDefaultSearch(target) ? undefined : bulkSearchParams(target, 'currentSearch');
  }
  return undefined;
}
