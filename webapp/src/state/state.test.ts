import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultOpenPanels, useLayoutStore } from './layout-store';
import { MAX_NOTIFICATIONS, notify, useNotificationsStore } from './notifications-store';
import { decodePathState, encodePathState, pathWithState } from './path-state';
import { allowed, can, projectWritable, splitPermissionsAndRoles } from './permissions';
import { restartSessionTimer, sessionTimerLength, startSessionTimer, stopSessionTimer } from './session-timer';
import { cleanStorage } from './storage';
import { themeConfigOf } from './theme-store';
import { useSessionStore } from './session-store';

const set = (...names: string[]) => new Set(names);

describe('path state (R-031)', () => {
  const defaults = { query: '', from: 0, facets: [] as string[], simple: true };
  it('contains only what differs from the defaults', () => {
    expect(encodePathState(defaults, defaults)).toBe('');
    const text = encodePathState({ ...defaults, query: 'été 😀' }, defaults);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(
      JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0)))),
    ).toEqual({ query: 'été 😀' });
    expect(pathWithState('/explore', defaults, defaults)).toBe('/explore');
  });
  it('round-trips', () => {
    fc.assert(
      fc.property(
        fc.record({ query: fc.string({ unit: 'binary' }), from: fc.nat(), facets: fc.array(fc.string()), simple: fc.boolean() }),
        (state) => {
          expect(decodePathState(encodePathState(state, defaults), defaults)).toEqual(state);
        },
      ),
    );
  });
  it.each([['not base64 !!'], ['bm90IGpzb24'], ['W10'], ['_w'], [undefined], ['']])('reads %s as the defaults', (text) =>
    expect(decodePathState(text, defaults)).toEqual(defaults),
  );
  it('ignores unknown keys and wrong types', () => {
    const text = encodePathState({ query: 5, evil: 1, from: 3 } as never, {} as never);
    expect(decodePathState(text, defaults)).toEqual({ ...defaults, from: 3 });
  });
});

describe('permissions', () => {
  it('T-002 splits role entries', () =>
    expect(splitPermissionsAndRoles(['role:Reader', 'seeLabels'])).toEqual({ roles: ['Reader'], permissions: ['seeLabels'] }));
  it('a star covers its family only', () => {
    expect(can(set('writeProject:*'), 'writeProject:press')).toBe(true);
    expect(can(set('readProject:*'), 'writeProject:press')).toBe(false);
    expect(can(set('writeProject:pre'), 'writeProject:press')).toBe(false);
  });
  it('T-006 read-only without the write right', () => {
    expect(projectWritable(set('writeProject:press'), 'press')).toBe(true);
    expect(projectWritable(set('readProject:*'), 'press')).toBe(false);
  });
  it.each([
    ['P-043', 'seeDashboard', ['seeCorpusStats', 'seeDatasetStats', 'seeModelStats']],
    ['P-044', 'seeSettings', ['seeSuggestersSettings', 'seeAdvancedSettings']],
    ['P-045', 'seeAccountButton', ['seeLogout', 'seeUserProfile']],
    ['P-046', 'userAdministrator', ['createUserIn:press', 'createUserIn:*']],
    ['P-047', 'platformUserAdministrator', ['createUserIn:*']],
    ['P-049', 'platformProjectAdmin', ['readProject:*']],
    ['P-050', 'mayWriteAnyGroup', ['writeGroup:*']],
  ])('%s %s by each of its permissions and nothing else', (_id, derived, enough) => {
    for (const one of enough) expect([one, allowed(set(one), derived)]).toEqual([one, true]);
    const others = [
      'seeOverallStats',
      'seePlans',
      'createUserIn',
      'writeGroup:press',
      'readProject:press',
      'readTheme:a',
      'writeProject:*',
    ];
    expect(allowed(set(...others), derived)).toBe(false);
  });
  it('derives capabilities', () => {
    expect(allowed(set('seeModelStats'), 'seeDashboard')).toBe(true);
    expect(allowed(set('seeOverallStats'), 'seeDashboard')).toBe(false);
    expect(allowed(set('seeAdvancedSettings'), 'seeSettings')).toBe(true);
    expect(allowed(set('createUserIn:a'), 'userAdministrator')).toBe(true);
    expect(allowed(set('createUserIn:a'), 'platformUserAdministrator')).toBe(false);
    expect(allowed(set('seeLogout'), 'seeAccountButton')).toBe(true);
    expect(allowed(set('exportDocuments'), 'projectActionMenu')).toBe(true);
    expect(allowed(set('seeTour', 'useSearch'), 'tourAvailable')).toBe(false);
  });
});

describe('notifications', () => {
  beforeEach(() => useNotificationsStore.setState({ items: [] }));
  it('C-003 default type and fade', () => {
    notify({ message: 'x' });
    expect(useNotificationsStore.getState().items[0]).toMatchObject({ type: 'info', fade: 8000 });
  });
  it('E-012 drops the same cause and a second sign-in fix', () => {
    notify({ message: 'a', cause: 'down' });
    expect(notify({ message: 'b', cause: 'down' })).toBeNull();
    notify({ message: 'c', cause: 'one', signInFix: true });
    expect(notify({ message: 'd', cause: 'two', signInFix: true })).toBeNull();
    expect(notify({ message: 'e' })).not.toBeNull();
    expect(notify({ message: 'f' })).not.toBeNull();
  });
  it('E-013 drops a link to the present screen', () => {
    expect(notify({ message: 'a', link: '/jobs' }, '/jobs')).toBeNull();
    expect(notify({ message: 'a', link: '/jobs' }, '/labels')).not.toBeNull();
  });
  it('E-014 stores the newest twenty', () => {
    for (let i = 0; i < 25; i += 1) notify({ message: String(i) });
    const { items } = useNotificationsStore.getState();
    expect(items).toHaveLength(MAX_NOTIFICATIONS);
    expect(items[0]?.message).toBe('5');
  });
});

describe('session timer (C-001)', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    stopSessionTimer();
    vi.useRealTimers();
  });
  it('is 5 s early, and absent when not positive (E-059)', () => {
    expect(sessionTimerLength(10)).toBe(595_000);
    for (const minutes of [undefined, 0, -3, 5 / 60]) expect(sessionTimerLength(minutes)).toBeNull();
  });
  it('restarts on activity', () => {
    const expired = vi.fn();
    startSessionTimer(1, expired);
    vi.advanceTimersByTime(50_000);
    restartSessionTimer();
    vi.advanceTimersByTime(54_000);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(expired).toHaveBeenCalledOnce();
  });
});

describe('browser storage (C-093)', () => {
  it('project in local, user in session storage; both are removed at sign-out', () => {
    useSessionStore.getState().signIn({ username: 'ana', profilename: 'Ana', ssoLogin: false }, []);
    useSessionStore.getState().openProject('press');
    expect(localStorage.getItem('annotarium.project')).toBe('"press"');
    expect(sessionStorage.getItem('annotarium.username')).toBe('"ana"');
    useSessionStore.getState().signOut();
    expect(localStorage.getItem('annotarium.project')).toBeNull();
    expect(sessionStorage.getItem('annotarium.username')).toBeNull();
  });
  it('removes saved questions at start', () => {
    localStorage.setItem('savedQuestions', '[]');
    localStorage.setItem('annotarium.theme', '{}');
    cleanStorage();
    expect(localStorage.getItem('savedQuestions')).toBeNull();
    expect(localStorage.getItem('annotarium.theme')).toBe('{}');
  });
  it('facet panels: defaults per screen, then those the user left open', () => {
    expect(defaultOpenPanels('documents')).toEqual(['inDataset', 'label', 'classificationLabel']);
    expect(defaultOpenPanels('explore')).toContain('activity');
    expect(defaultOpenPanels('terms')).toContain('lexicon');
    useLayoutStore.getState().togglePanel('explore', 'label');
    expect(useLayoutStore.getState().panels['explore']).not.toContain('label');
    expect(localStorage.getItem('annotarium.layout')).toContain('activity');
  });
});

describe('theme config (C-087)', () => {
  it('uses defaults for what is missing', () =>
    expect(themeConfigOf({ id: 'x', config: {} })).toMatchObject({
      light: { primary: '#1976D2', secondary: '#EEEEEE' },
      darkFirst: false,
    }));
  it('parses the serialised form', () => {
    const theme = {
      id: 'x',
      config: {
        vuetify: { dark: true, themes: { light: { primary: '#F2B705' } } },
        app: { signin: { cardForm: { mainTitle: { en: 'Hello' } } } },
      },
    };
    expect(themeConfigOf(theme)).toMatchObject({ darkFirst: true, light: { primary: '#F2B705' }, signinTitle: { en: 'Hello' } });
  });
});
