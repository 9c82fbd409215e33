// @vitest-environment node
/** Compares the route table with the specification: paths, permissions, need of a project. */
import { matchPath } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { TERMS_PATH } from '@/features/vocabularies/term-address';
import { COMPARE_DEFAULTS, comparePath, decodeSearch } from '@/state/compare-address';
import { decodePathState, pathWithState } from '@/state/path-state';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { checkNavigation } from './navigation-guard';
import { loadScreen, LOAD_TIMEOUT_MS, ScreenUnavailableError } from './load-screen';
import { ROUTES } from './routes';

const row = (id: string) => {
  const found = ROUTES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`No route ${id}`);
  return found;
};
const patterns = (id: string) => [`${row(id).path}${row(id).params ?? ''}`, ...(row(id).also ?? [])];
const leadsTo = (path: string) => ROUTES.find((one) => patterns(one.id).some((pattern) => matchPath(pattern, path) !== null))?.id;

/** Path, permission, needs project: as specified. */
const WANTED: readonly (readonly [id: string, paths: readonly string[], rule: string | undefined, project: boolean])[] = [
  ['home', ['/home', '/home/eyJhIjoxfQ'], 'seeHomepage', false],
  ['signin', ['/signin', '/signin/access_denied'], undefined, false],
  ['profile', ['/profile'], 'seeUserProfile', false],
  ['addDocuments', ['/addDocuments'], 'importDocuments', true],
  ['jobs', ['/jobs'], 'seeProjectJobs', true],
  ['globalJobs', ['/globalJobs'], 'seeGlobalJobs', false],
  ['settings', ['/settings', '/settings/advanced', '/settings/sharing', '/settings/suggesters'], 'seeSettings', true],
  //
  ['admin', ['/admin', '/admin/groups', '/admin/users', '/admin/roles', '/admin/users/eyJhIjoxfQ'], 'userAdministrator', false],
  //
  ['gazetteers', ['/gazetteers', '/gazetteers/lexicons', '/gazetteers/terms', '/gazetteers/terms/eyJhIjoxfQ'], 'seeGazetteers', true],
  ['labels', ['/labels', '/labels/default'], 'seeLabels', true],
  ['dashboard', ['/dashboard', '/dashboard/corpus'], 'seeDashboard', true],
  ['answers', ['/answers', '/answers/eyJhIjoxfQ'], 'seeQuestionAnswering', true],
  ['explore', ['/explore', '/explore/eyJhIjoxfQ'], 'seeExplore', true],
  ['compare-search', ['/compare-search', '/compare-search/eyJhIjoxfQ'], 'seeSearchCompare', true],
  ['documents', ['/documents', '/documents/eyJhIjoxfQ', '/document/eyJhIjoxfQ'], 'seeDocuments', true],
];

/** All routes that do not need an open project, including those not implemented yet. */
const WITHOUT_PROJECT = new Set([
  'home',
  'globalJobs',
  'admin',
  'messages',
  'profile',
  'themes',
  'signin',
  'signup',
  'sso-troubleshooting',
  'invitation',
]);

describe('the table of routes', () => {
  it.each(WANTED)('%s', (id, paths, rule, project) => {
    for (const path of paths) expect(leadsTo(path)).toBe(id);
    expect(row(id).rule).toBe(rule);
    expect(row(id).needsProject === true).toBe(project);
  });

  it.each([
    ['home', '/home'],
    ['explore', '/explore'],
    ['answers', '/answers'],
    ['suggestions', '/suggestions'],
    ['documents', '/documents'],
    ['gazetteers', TERMS_PATH],
  ])('opens %s with parameters (R-028)', (id, path) => {
    const target = pathWithState(path, { query: 'a/b?', from: 20 }, { query: '', from: 0 });
    expect(leadsTo(target)).toBe(id);
    const found = patterns(id)
      .map((pattern) => matchPath(pattern, target)?.params)
      .find((params) => params !== undefined);
    expect(decodePathState(found?.['searchParams'], { query: '', from: 0 })).toEqual({ query: 'a/b?', from: 20 });
    expect(found?.['selectedTab']).toBe(id === 'gazetteers' ? 'terms' : undefined);
  });

  it('opens the comparison with two searches, each encoded (R-028)', () => {
    const target = comparePath({ ...SEARCH_DEFAULTS, query: 'one' }, { ...SEARCH_DEFAULTS, query: 'two', sort: '-date' });
    expect(leadsTo(target)).toBe('compare-search');
    const encoded = matchPath('/compare-search/:searchParams?', target)?.params.searchParams;
    const { explore1, explore2 } = decodePathState(encoded, COMPARE_DEFAULTS);
    const searches = [explore1, explore2].map((search) => decodeSearch(search, SEARCH_DEFAULTS));
    expect(searches.map(({ query, sort }) => [query, sort])).toEqual([
      ['one', ''],
      ['two', '-date'],
    ]);
  });

  it('requires an open project everywhere except on the listed pages', () => {
    for (const { id, needsProject = false } of ROUTES) expect([id, needsProject]).toEqual([id, !WITHOUT_PROJECT.has(id)]);
  });

  it('refuses each page without its permission, and shows it with it', () => {
    for (const route of ROUTES.filter(({ rule }) => rule !== undefined)) {
      const ask = (...permissions: string[]) =>
        checkNavigation({
          status: 'signedIn',
          permissions: new Set(permissions),
          route,
          path: route.path,
          project: { name: 'p', nature: route.natures?.[0] ?? 'sequence_labelling' },
        });
      const derived: Record<string, string> = {
        seeSettings: 'seeAdvancedSettings',
        seeDashboard: 'seeModelStats',
        userAdministrator: 'createUserIn:press',
      };
      expect(ask('nothing of it').kind).not.toBe('allow');
      expect(ask(derived[route.rule ?? ''] ?? route.rule ?? '')).toEqual({ kind: 'allow' });
    }
  });
});

describe('code of a page (C-010)', () => {
  it('is awaited for 120 s, then fails with an error', async () => {
    vi.useFakeTimers();
    try {
      expect(LOAD_TIMEOUT_MS).toBe(120_000);
      await expect(loadScreen(() => Promise.resolve('screen'))).resolves.toBe('screen');
      const never = loadScreen(() => new Promise<never>(() => undefined));
      const failed = expect(never).rejects.toThrow('This page did not load within 120 s');
      await vi.advanceTimersByTimeAsync(119_999);
      await vi.advanceTimersByTimeAsync(1);
      await failed;
      await expect(loadScreen(() => Promise.reject(new Error('Failed to fetch')))).rejects.toThrow(
        new ScreenUnavailableError('Failed to fetch'),
      );
    } finally {
      vi.useRealTimers();
    }
  });
});
