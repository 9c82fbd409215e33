/** A deleted lexicon, and the terms of one that was cleared, come back by the notice. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';

const AT = '*/api/projects/press';
const DISEASES = { name: 'diseases', label: 'Diseases', color: '#3366CC', terms: 4421, manualEditionAllowed: true };

serveStudio();

it('S-047 a deleted lexicon comes back by the notice of its deletion', async () => {
  const sent: string[] = [];
  let lexicons = [DISEASES];
  const permissions = [...PERMISSIONS, 'seeGazetteers', 'importTerms'];
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/lexicons`, () => HttpResponse.json(lexicons)),
    http.delete(`${AT}/lexicons/diseases`, () => {
      sent.push('delete');
      lexicons = [];
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(`${AT}/lexicons/diseases/_restore`, () => {
      sent.push('restore');
      lexicons = [DISEASES];
      return HttpResponse.json(DISEASES);
    }),
  );
  useSessionStore.getState().openProject('press');
  await renderStudio('/gazetteers/lexicons');
  await userEvent.click(await screen.findByRole('button', { name: 'Actions on Diseases' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete lexicon' }));
  const question = await screen.findByRole('dialog', { name: /Delete .Diseases./ });
  await userEvent.click(within(question).getByRole('checkbox', { name: /4,421/ }));
  await userEvent.click(within(question).getByRole('button', { name: 'Delete lexicon' }));
  expect(await screen.findByText('“Diseases” was deleted')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('row', { name: /Diseases/ })).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('row', { name: /Diseases/ })).toBeInTheDocument();
  expect(sent).toEqual(['delete', 'restore']);
});

it('S-047 the terms of a cleared lexicon come back by the notice', async () => {
  const sent: string[] = [];
  let lexicon = DISEASES;
  const permissions = [...PERMISSIONS, 'seeGazetteers', 'importTerms'];
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/lexicons`, () => HttpResponse.json([lexicon])),
    http.post(`${AT}/lexicons/diseases/_clear`, () => {
      sent.push('clear');
      lexicon = { ...DISEASES, terms: 0 };
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(`${AT}/lexicons/diseases/_restore`, () => {
      sent.push('restore');
      lexicon = DISEASES;
      return HttpResponse.json(DISEASES);
    }),
  );
  useSessionStore.getState().openProject('press');
  await renderStudio('/gazetteers/lexicons');
  await userEvent.click(await screen.findByRole('button', { name: 'Actions on Diseases' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete all terms' }));
  const question = await screen.findByRole('dialog', { name: /Delete all terms of .Diseases./ });
  await userEvent.click(within(question).getByRole('checkbox', { name: /4,421/ }));
  await userEvent.click(within(question).getByRole('button', { name: 'Delete all terms' }));
  expect(await screen.findByText('The terms of “Diseases” were deleted')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('row', { name: /Diseases/ })).not.toHaveTextContent('4,421'));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.getByRole('row', { name: /Diseases/ })).toHaveTextContent('4,421'));
  expect(sent).toEqual(['clear', 'restore']);
});
