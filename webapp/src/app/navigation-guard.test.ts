// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { safeLocalPath } from '@/state/local-path';
import { checkNavigation, type GuardInput } from './navigation-guard';
import { LANDING_ORDER, landingPath } from './landing-route';
import type { RouteRow } from './route-types';
import { ROUTES } from './routes';
import { START_ROUTES } from '@/state/start-routes';
import { allowed } from '@/state/permissions';

const load = () => Promise.resolve(() => null);
const row = (id: string, rule?: string, more: Partial<RouteRow> = {}): RouteRow => ({
  id,
  path: `/${id}`,
  load,
  ...(rule !== undefined && { rule }),
  ...more,
});
const base: GuardInput = {
  status: 'signedIn',
  permissions: new Set(['seeHomepage', 'seeDocuments', 'seeUserProfile']),
  route: row('documents', 'seeDocuments', { needsProject: true }),
  path: '/documents?x=1',
  project: { name: 'p', nature: 'classification' },
};
const ask = (change: Partial<GuardInput>) => checkNavigation({ ...base, ...change });

describe('navigation guard', () => {
  it('allows a permitted route', () => expect(ask({})).toEqual({ kind: 'allow' }));
  it('N-002 refuses the sign-in page to a signed-in user', () =>
    expect(ask({ route: row('signin', undefined, { anonymous: true }) })).toEqual({ kind: 'redirect', to: '/home' }));
  it('shows the sign-in page to everybody', () =>
    expect(ask({ status: 'anonymous', route: row('signin', undefined, { anonymous: true }) })).toEqual({ kind: 'allow' }));
  it('N-003 sends anonymous users to sign in, with the return path', () =>
    expect(ask({ status: 'anonymous' })).toEqual({ kind: 'redirect', to: '/signin?redirect=%2Fdocuments%3Fx%3D1' }));
  it('N-004 a route that needs a project goes home without one', () =>
    expect(ask({ project: null })).toEqual({ kind: 'redirect', to: '/home' }));
  it('N-004 comes before N-005', () =>
    expect(ask({ project: null, permissions: new Set(['seeUserProfile']) })).toEqual({ kind: 'redirect', to: '/home' }));
  it('N-005 a missing permission goes home, else to the profile', () => {
    expect(ask({ route: row('plans', 'seePlans') })).toEqual({ kind: 'redirect', to: '/home' });
    expect(ask({ route: row('plans', 'seePlans'), permissions: new Set(['seeUserProfile']) })).toEqual({
      kind: 'redirect',
      to: '/profile',
    });
  });
  it('N-006 without home and profile nothing is left', () =>
    expect(ask({ route: row('home', 'seeHomepage'), permissions: new Set() })).toEqual({ kind: 'noRights' }));
  it('refuses natures that a route does not support', () => {
    const route = row('gazetteers', 'seeDocuments', { needsProject: true, natures: ['sequence_labelling'] });
    expect(ask({ route })).toEqual({ kind: 'wrongNature', to: '/home' });
    expect(ask({ route, project: { name: 'p', nature: 'sequence_labelling' } })).toEqual({ kind: 'allow' });
  });
});

describe('redirect target', () => {
  it.each([
    ['/documents/abc?x=1#top', '/documents/abc?x=1#top'],
    ['//evil.example/x', null],
    ['/\\evil.example', null],
    ['https://evil.example', null],
    ['javascript:alert(1)', null],
    ['/signin?redirect=/signin', null],
    ['', null],
    [null, null],
  ])('%s', (given, wanted) => expect(safeLocalPath(given)).toBe(wanted));
});

describe('landing (N-009)', () => {
  const routes = [
    row('documents', 'seeDocuments'),
    row('labels', 'seeLabels', { to: '/labels/default' }),
    row('jobs', 'seeProjectJobs'),
    row('answers', 'seeQuestionAnswering'),
  ];
  const all = new Set(['seeDocuments', 'seeLabels', 'seeProjectJobs', 'seeQuestionAnswering']);
  it('takes the first allowed screen', () => {
    expect(landingPath({ nature: 'classification' }, all, routes)).toBe('/documents');
    expect(landingPath({ nature: 'classification' }, new Set(['seeLabels', 'seeProjectJobs']), routes)).toBe('/labels/default');
  });
  it('puts answers first for question answering', () =>
    expect(landingPath({ nature: 'question_answering' }, all, routes)).toBe('/answers'));
  it("prefers the project's own route when allowed", () => {
    expect(landingPath({ nature: 'classification', routeOnOpenProject: 'jobs' }, all, routes)).toBe('/jobs');
    expect(landingPath({ nature: 'classification', routeOnOpenProject: 'plans' }, all, routes)).toBe('/documents');
  });
  const RIGHTS = `seeDocuments seeExplore seeLabels seeTest seeCorpusStats seeExperiments seePlans seeAdvancedSettings seeProjectJobs
    seeSuggestions seeUserProfile`.split(/\s+/u);
  it('is an existing screen, for each single permission', () => {
    const rights = LANDING_ORDER.flatMap((id) => ROUTES.filter((route) => route.id === id));
    expect(rights.map(({ id }) => id)).toEqual(LANDING_ORDER.filter((id) => id !== 'campaign'));
    for (const right of RIGHTS) {
      const first = rights.find(({ rule }) => rule !== undefined && allowed(new Set([right]), rule));
      expect(first, right).toBeDefined();
      expect(landingPath({ nature: 'question_answering' }, new Set([right]), ROUTES), right).toBe(first?.to ?? first?.path);
    }
  });
  it('is one of the screens that a project can be set to open with', () => {
    for (const id of START_ROUTES) {
      const row = ROUTES.find((route) => route.id === id);
      expect(row?.needsProject, id).toBe(true);
      expect(LANDING_ORDER).toContain(id);
    }
  });
  it('finds nothing without permissions', () => expect(landingPath({}, new Set(), routes)).toBeNull());
});
