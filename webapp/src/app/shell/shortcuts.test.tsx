import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyCollisions, currentCommands } from '@/ui/command-registry';
import { usePaletteStore } from '@/ui/palette-store';
import { useLayoutStore } from '@/state/layout-store';
import { renderStudio } from '@/test/render';
import { server } from '@/test/server';
import { clearSession } from '@/app/session-lifecycle';

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  usePaletteStore.getState().close();
  useLayoutStore.getState().setChoice('shortcuts.letters', 'on');
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const home = async () => {
  const { router } = await renderStudio('/home');
  await screen.findByRole('link', { name: 'Regional press' });
  return router;
};

describe('global keys', () => {
  it('finds a page by some letters, also from a text field, and goes there', async () => {
    const router = await home();
    await userEvent.click(screen.getByRole('button', { name: 'Show the filters' }));
    await userEvent.click(screen.getByLabelText('Filter by name'));
    await userEvent.keyboard('{Control>}k{/Control}');
    const box = await screen.findByRole('combobox', { name: 'Find anything' });
    expect(box).toHaveFocus();
    expect(within(screen.getByRole('listbox')).getAllByRole('option').length).toBeGreaterThan(3);
    await userEvent.keyboard('profl');
    const options = screen.getAllByRole('option');
    expect(options[0]).toHaveTextContent('Go to: Profile');
    expect(box).toHaveAttribute('aria-activedescendant', options[0]?.id);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('shows when nothing matches, and Escape returns the focus', async () => {
    await home();
    const place = screen.getAllByRole('link', { name: 'Regional press' })[0]!;
    place.focus();
    await userEvent.keyboard('{Control>}k{/Control}zzzz');
    expect(await screen.findByText('Nothing matches')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(place).toHaveFocus());
  });

  it('lists in the help sheet the keys active here, from the same registry', async () => {
    await home();
    await userEvent.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    const keyed = currentCommands().filter(({ keys = [] }) => keys.length > 0);
    for (const { title } of keyed) expect(within(sheet).getAllByText(title).length).toBeGreaterThan(0);
    expect(keyCollisions(keyed)).toEqual([]);
    expect(within(sheet).getByText('Open or close the filters')).toBeInTheDocument();
    expect(within(sheet).queryByText('Next document')).toBeNull();
  });

  it('navigates with two letters, and does nothing when single letters are off', async () => {
    const router = await home();
    useLayoutStore.getState().setChoice('shortcuts.letters', 'off');
    await userEvent.keyboard('?');
    expect(usePaletteStore.getState().help).toBeNull();
    useLayoutStore.getState().setChoice('shortcuts.letters', 'on');
    await router.navigate('/profile');
    await screen.findByRole('heading', { name: 'Profile', level: 1 });
    await userEvent.keyboard('gh');
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/home/));
  });
});
