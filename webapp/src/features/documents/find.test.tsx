/** Finding words in the open document, on the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressPath } from '@/state/search-address';
import { documentAnswers, serveDocuments } from '@/test/document-screen';
import { renderStudio } from '@/test/render';
import { errorResponse, PERMISSIONS, server } from '@/test/server';

const TEXT = 'Élan vital. The elan of the café; CAFE élan.';
const DOCUMENT = { identifier: 'd1', title: 'Council', text: TEXT, version: 1, annotations: [], categories: [], sentences: [] };
const SETS = [
  { name: 'default', label: 'Default', nature: 'sequence_labelling', labels: [{ name: 'person', label: 'Person', color: '#017D7E' }] },
];

serveDocuments();
beforeEach(() => {
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'annotateCorpus'] }),
    ),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json(SETS)),
    ...documentAnswers(DOCUMENT),
  );
});

async function openFind() {
  const user = userEvent.setup();
  await renderStudio(addressPath('/document', {}));
  const text = await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
  text.focus();
  await user.keyboard('{Control>}f{/Control}');
  const bar = await screen.findByRole('search', { name: 'Find in this document' });
  return { user, text, bar, words: within(bar).getByRole('textbox') };
}

const marked = (text: HTMLElement) => [...text.querySelectorAll('.ann-hit')].map((one) => one.textContent);
const current = (text: HTMLElement) => text.querySelector('.ann-current-hit')?.textContent;

describe('find in the open document', () => {
  it('marks all matches with accents and case folded, and goes round', async () => {
    const { user, text, bar, words } = await openFind();
    expect(words).toHaveFocus();
    await user.type(words, 'elan');
    await waitFor(() => expect(within(bar).getByRole('status')).toHaveTextContent('1 of 3'));
    expect(marked(text)).toEqual(['Élan', 'elan', 'élan']);
    expect(current(text)).toBe('Élan');
    await user.keyboard('{Enter}');
    expect(current(text)).toBe('elan');
    await user.keyboard('{Shift>}{Enter}{Enter}{/Shift}');
    expect(within(bar).getByRole('status')).toHaveTextContent('3 of 3');
    await user.click(within(bar).getByRole('button', { name: 'Capital letters and accents count' }));
    await waitFor(() => expect(within(bar).getByRole('status')).toHaveTextContent('1 of 1'));
    expect(marked(text)).toEqual(['elan']);
  });

  it('says that nothing is found; Escape returns to the text and removes the marks', async () => {
    const { user, text, bar, words } = await openFind();
    await user.type(words, 'tea');
    await waitFor(() => expect(within(bar).getByRole('status')).toHaveTextContent('Not found'));
    await user.clear(words);
    await user.type(words, 'cafe');
    await waitFor(() => expect(marked(text)).toEqual(['café', 'CAFE']));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('search', { name: 'Find in this document' })).toBeNull());
    expect(text).toHaveFocus();
    expect(marked(text)).toEqual([]);
  });

  it('labels all places of the words after a count with examples; the dialog closes only on success', async () => {
    const asked: Record<string, unknown>[] = [];
    const made = { identifier: '9', labelName: 'person', start: 0, end: 4, text: 'Élan', status: 'OK', creationMode: 'manual', version: 1 };
    let fails = true;
    server.use(
      http.post('*/api/projects/press/annotations/_label_occurrences', async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        asked.push(body);
        const whole = body['wholeWords'] === true;
        const found = { documents: 1, occurrences: 3, existing: 0, created: whole ? 3 : 5, insideWords: 2 };
        if (body['dryRun'] === true)
          return HttpResponse.json({ ...found, examples: [{ documentIdentifier: 'd1', before: '', text: 'Élan', after: ' vital' }] });
        if (fails) return errorResponse(503, 'down');
        return HttpResponse.json({ ...found, annotations: [made] });
      }),
    );
    const { user, text, bar, words } = await openFind();
    await user.type(words, 'elan');
    await user.click(within(bar).getByRole('button', { name: 'Label all' }));
    const dialog = await screen.findByRole('dialog', { name: 'Label all occurrences' });
    const submit = await within(dialog).findByRole('button', { name: 'Label 3 places' });
    expect(within(dialog).getByRole('list', { name: 'Some of the places' })).toHaveTextContent('Élan vital');
    expect(within(dialog).getByText('3 whole words, 2 inside other words.')).toBeInTheDocument();
    const wholeWords = within(dialog).getByRole('checkbox', { name: 'Whole words only' });
    expect(wholeWords).toBeChecked();
    await user.click(wholeWords);
    await within(dialog).findByRole('button', { name: 'Label 5 places' });
    expect(within(dialog).getByText('3 whole words, 2 inside other words.')).toBeInTheDocument();
    expect(asked.at(-1)).toMatchObject({ wholeWords: false, dryRun: true });
    await user.click(wholeWords);
    await within(dialog).findByRole('button', { name: 'Label 3 places' });
    await user.click(submit);
    await waitFor(() => expect(asked.at(-1)?.['dryRun']).toBe(false));
    expect(screen.getByRole('dialog', { name: 'Label all occurrences' })).toBeInTheDocument();
    fails = false;
    await user.click(await within(dialog).findByRole('button', { name: 'Label 3 places' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Label all occurrences' })).toBeNull());
    expect(asked.at(-1)).toMatchObject({
      text: 'elan',
      labelName: 'person',
      scope: 'document',
      documentIdentifier: 'd1',
      wholeWords: true,
      caseSensitive: false,
      foldAccents: true,
    });
    await waitFor(() => expect(text.querySelector('mark[data-spans="9"]')).toHaveTextContent('Élan'));
  });
});
