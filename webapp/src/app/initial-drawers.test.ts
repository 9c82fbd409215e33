// @vitest-environment node
import { beforeEach, describe, expect, it } from 'vitest';
import { useLayoutStore } from '@/state/layout-store';
import { openInitialDrawers, TOUR_PROJECT_PREFIX } from './initial-drawers';

const state = () => useLayoutStore.getState();

describe('after a project is opened (N-010)', () => {
  beforeEach(() => {
    useLayoutStore.setState({ rail: 'auto', landing: null, drawers: {} });
    state().setDrawer('explore', 'filters', false);
    state().setDrawer('documents', 'filters', false);
  });

  it.each([
    ['/documents', true, false],
    ['/explore', false, true],
    ['/labels/default', false, false],
  ])('%s: the navigation opens, the filters on documents and explorer', (path, documents, explore) => {
    openInitialDrawers('press', path);
    expect(state().landing).toBe(path);
    expect([state().drawers['documents/filters'], state().drawers['explore/filters']]).toEqual([documents, explore]);
  });

  it('does nothing for the project of a tour, which controls the drawers', () => {
    openInitialDrawers('press', '/documents');
    openInitialDrawers(`${TOUR_PROJECT_PREFIX}ana`, '/labels/default');
    expect(state().landing).toBeNull();
  });

  it("the user's folding is permanent", () => {
    openInitialDrawers('press', '/labels/default');
    state().setRail('compact');
    expect([state().landing, state().rail]).toEqual([null, 'compact']);
  });
});
