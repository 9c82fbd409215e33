/** The page of an invitation: who invites to what, accepting it, and links that are not valid. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { forgetInvitation, rememberedInvitation, rememberInvitation, takeInvitationFromAddress } from '@/state/invitation-token';
import { renderStudio } from '@/test/render';
import { errorResponse, server } from '@/test/server';

const TOKEN = 'a-token_of-an-invitation';
const user = userEvent.setup();
let tokens: string[] = [];

const facts = (right: string) =>
  http.post('*/api/invitations/_preview', async ({ request }) => {
    const body = (await request.json()) as { token: string };
    tokens.push(body.token);
    expect(request.url).not.toContain(TOKEN);
    return HttpResponse.json({ projectLabel: 'Films', inviter: 'Ada', right });
  });

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  tokens = [];
});
afterEach(() => {
  cleanup();
  forgetInvitation();
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the page of an invitation', () => {
  it('takes the token out of the address, and opens the project once accepted', async () => {
    const accepted: string[] = [];
    server.use(
      facts('write'),
      http.post('*/api/invitations/_accept', async ({ request }) => {
        accepted.push(((await request.json()) as { token: string }).token);
        return HttpResponse.json({ projectName: 'films', projectLabel: 'Films', right: 'write' });
      }),
    );
    const { router } = await renderStudio(`/invitation#${TOKEN}`);
    expect(await screen.findByRole('heading', { name: 'Ada invites you to the project “Films”' })).toBeVisible();
    expect(screen.getByText('You may read and annotate it.')).toBeVisible();
    expect(screen.getByText('You are signed in as Ana Roth.')).toBeVisible();
    expect(router.state.location.hash).toBe('');
    expect(accepted).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Accept' }));
    await waitFor(() => expect(router.state.location.pathname).not.toBe('/invitation'));
    expect(accepted).toEqual([TOKEN]);
    expect(tokens).toEqual([TOKEN]);
    await waitFor(() => expect(rememberedInvitation()).toBeNull());
  });

  it('offers the remembered invitation after signing in, and forgets it with Not now', async () => {
    rememberInvitation(TOKEN);
    server.use(facts('read'));
    const { router } = await renderStudio('/invitation');
    expect(await screen.findByRole('heading', { name: 'Ada invites you to the project “Films”' })).toBeVisible();
    expect(screen.getByText('You may read it.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    await waitFor(() => expect(rememberedInvitation()).toBeNull());
  });

  it('explains a link that is not valid, and one without a token', async () => {
    server.use(http.post('*/api/invitations/_preview', () => errorResponse(404, 'This invitation is not valid')));
    await renderStudio(`/invitation#${TOKEN}`);
    expect(await screen.findByText('This invitation is not valid')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
    cleanup();
    forgetInvitation();
    await renderStudio('/invitation');
    expect(await screen.findByText('No invitation')).toBeVisible();
  });

  it('tells a link that was revoked meanwhile from a server that does not respond', async () => {
    let status = 503;
    server.use(
      facts('read'),
      http.post('*/api/invitations/_accept', () => errorResponse(status, 'Not now')),
    );
    await renderStudio(`/invitation#${TOKEN}`);
    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    expect(await screen.findByText('The invitation could not be opened.')).toBeVisible();
    expect(rememberedInvitation()).toBe(TOKEN);
    status = 404;
    await user.click(screen.getByRole('button', { name: 'Accept' }));
    expect(await screen.findByText('This invitation is not valid')).toBeVisible();
  });

  it('is in French', async () => {
    server.use(facts('write'));
    await renderStudio(`/invitation#${TOKEN}`, 'fr');
    expect(await screen.findByRole('heading', { name: 'Ada vous invite à rejoindre le projet «\u202fFilms\u202f»' })).toBeVisible();
    expect(screen.getByText('Vous pourrez le lire et l’annoter.')).toBeVisible();
  });
});

describe('the address of the page', () => {
  afterEach(() => history.replaceState(null, '', '/'));

  it('loses the token, which is remembered for the window', () => {
    history.replaceState(null, '', `/invitation#${TOKEN}`);
    takeInvitationFromAddress();
    expect(`${location.pathname}${location.hash}`).toBe('/invitation');
    expect(rememberedInvitation()).toBe(TOKEN);
    expect(sessionStorage.getItem('annotarium.invitation')).toContain(TOKEN);
    expect(Object.values({ ...localStorage }).join()).not.toContain(TOKEN);
  });

  it('of another page is left alone', () => {
    history.replaceState(null, '', '/home#main');
    takeInvitationFromAddress();
    expect(location.hash).toBe('#main');
    expect(rememberedInvitation()).toBeNull();
  });
});
