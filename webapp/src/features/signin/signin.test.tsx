import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { DEFAULT_THEME, themeConfigOf, useThemeStore } from '@/state/theme-store';
import { renderStudio } from '@/test/render';
import { errorResponse, server } from '@/test/server';

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => server.use(http.get('*/api/current_user', () => errorResponse(401, 'nobody'))));
afterEach(() => {
  useThemeStore.getState().setConfig(DEFAULT_THEME);
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const THEME = {
  id: 'own',
  config: {
    app: {
      signin: {
        appBar: { text: 'Press desk', barColor: '#102040' },
        cardForm: { mainTitle: { en: 'Read with us', fr: 'Lisez avec nous' }, subtitle: { en: 'Since 1887', fr: 'Depuis 1887' } },
        footer: { footerColor: '#FFEE00', textColor: '#223344' },
      },
    },
  },
};

describe('the sign-in page (R-003)', () => {
  it.each([
    ['/signin/access_denied', 'Access denied'],
    ['/signin/server_error', 'Try again, or sign in with a username and password.'],
  ])('%s tells why single sign-on failed', async (path, text) => {
    await renderStudio(path);
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByLabelText('Username')).toBeVisible();
  });

  it.each([
    ['en', 'Too many attempts', 'Wait 4 s, then try again'],
    ['fr', 'Trop de tentatives', 'Attendez 4 s, puis réessayez'],
  ])('says how long to wait after too many attempts, in %s; what was typed stays', async (language, title, advice) => {
    const said = { fix: { code: 'fix.waitSeconds', values: { seconds: 4 }, text: 'Wait 4 s, then try again' } };
    const body = { code: 429, message: 'Too many wrong passwords.', fix: 'Wait 4 s, then try again', said };
    server.use(http.get('*/api/users/:name', () => HttpResponse.json(body, { status: 429 })));
    const { container } = await renderStudio('/signin', language);
    const user = userEvent.setup();
    const field = (name: string) => container.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
    await waitFor(() => expect(field('username')).not.toBeNull());
    await user.type(field('username'), 'marie');
    await user.type(field('password'), 'secret words{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(`${title}${advice}`);
    expect(field('username')).toHaveValue('marie');
    expect(field('password')).toHaveValue('secret words');
  });

  it.each([
    ['en', 'Read with us', 'Since 1887'],
    ['fr', 'Lisez avec nous', 'Depuis 1887'],
  ])('takes its words from the theme in %s, and its bars', async (language, title, subtitle) => {
    useThemeStore.getState().setConfig(themeConfigOf(THEME));
    await renderStudio('/signin', language);
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
    expect(screen.getByText(subtitle)).toBeVisible();
    const bar = screen.getByRole('banner');
    expect(bar).toHaveTextContent('Press desk');
    // Without a text colour, the one with the better contrast on the bar.
    expect(bar).toHaveStyle({ backgroundColor: '#102040', color: '#FFFFFF' });
    expect(screen.getByRole('contentinfo')).toHaveStyle({ backgroundColor: '#FFEE00', color: '#223344' });
  });

  it('has default texts and no bars, with an empty or invalid theme', async () => {
    useThemeStore.getState().setConfig(themeConfigOf({ config: { app: { signin: { appBar: { barColor: 'url(x)' } } } } }));
    await renderStudio('/signin');
    expect(await screen.findByRole('heading', { name: /^Read closely/ })).toBeVisible();
    expect(screen.getByText('Annotarium')).toBeVisible();
    expect(screen.queryByRole('banner')).toBeNull();
    expect(screen.queryByRole('contentinfo')).toBeNull();
  });
});
