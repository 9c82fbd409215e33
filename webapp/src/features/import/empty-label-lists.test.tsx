import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { importParams } from '@/api/resources/document-imports';
import { serveImportPageForEachTest } from '@/test/import-page';
import { renderStudio } from '@/test/render';
import { job, server } from '@/test/server';
import { countChangedOptions, defaultImportOptions, fileHasEmptyLabelLists, optionsForNextImport } from './import-rules';

const file = (name: string, text: string) => new File([text], name, { lastModified: 1 });
const EMPTY = '[{"identifier": "a", "text": "Rome.", "annotations": [ ], "categories": []}]';

describe('empty lists of labels', () => {
  it('are detected in files that may contain labels, unless the file defines their meaning', async () => {
    const nature = 'sequence_labelling';
    expect(await fileHasEmptyLabelLists(file('a.json', EMPTY), nature)).toBe(true);
    expect(await fileHasEmptyLabelLists(file('a.jsonl', '{"text": "x", "annotations":[]}\n'), nature)).toBe(true);
    expect(await fileHasEmptyLabelLists(file('a.txt', EMPTY), nature)).toBe(false);
    expect(await fileHasEmptyLabelLists(file('a.json', EMPTY.replace('"text"', '"reviewed": true, "text"')), nature)).toBe(false);
    expect(await fileHasEmptyLabelLists(file('a.json', '{"annotations": [{"start": 0}], "categories": []}'), nature)).toBe(false);
    expect(await fileHasEmptyLabelLists(file('a.json', '{"annotations": [{"start": 0}], "categories": []}'), 'classification')).toBe(true);
    const spread = `{"text": "${'x'.repeat((1 << 20) - 30)}", "annotations": [`;
    expect(await fileHasEmptyLabelLists(file('a.json', `${spread}]}`), nature)).toBe(true);
  });

  it('are an answer about these files, not a setting for the next import', () => {
    const answered = { ...defaultImportOptions(undefined), emptyReviewed: true };
    expect(importParams(answered)).toMatchObject({ emptyListsReviewed: true });
    expect(importParams({ ...answered, ignoreLabelling: true })).not.toHaveProperty('emptyListsReviewed');
    expect(optionsForNextImport(JSON.stringify(answered), undefined)?.emptyReviewed).toBe(false);
    expect(countChangedOptions(answered, undefined)).toBe(0);
  });
});

describe('the dialog', () => {
  serveImportPageForEachTest();

  function serve(asked: string[], emptyLists: number) {
    server.use(
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.json' }])),
      http.post('*/api/projects/:name/documents/_load', ({ request }) => {
        const given = new URL(request.url).searchParams;
        asked.push(`${given.get('dryRun') ?? 'import'} ${given.get('emptyListsReviewed') ?? 'unsaid'}`);
        return HttpResponse.json(job(given.has('dryRun') ? 'c1' : 'j1', { status: 'STARTED' }));
      }),
      http.get('*/api/projects/:name/job/:id', ({ params }) =>
        HttpResponse.json(
          job(String(params['id']), {
            result: {
              ...(params['id'] === 'c1' && { dryRun: true, newLabels: [], newLabelCount: 0, emptyLists }),
              imported: 3,
              refused: 1,
            },
          } as never),
        ),
      ),
      http.get('*/api/projects/:name/job/:id/items', () => HttpResponse.json({ total: 0, outcomes: {}, items: [] })),
    );
  }

  it('asks when a file has empty lists, and sends the answer', async () => {
    const asked: string[] = [];
    serve(asked, 0);
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.json', EMPTY));
    const question = await screen.findByRole('group', { name: /empty list of annotations/ });
    expect(within(question).getByRole('radio', { name: /Nobody has annotated them yet/ })).toBeChecked();
    await userEvent.click(within(question).getByRole('radio', { name: /They have been reviewed/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('Import finished')).toBeVisible();
    expect(asked).toEqual(['import true']);
  });

  it('asks after a dry run that found some where the dialog does not look', async () => {
    const asked: string[] = [];
    serve(asked, 12);
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.zip', 'PK'));
    const check = screen.getByRole('button', { name: 'Check first' });
    await waitFor(() => expect(check).toBeEnabled());
    expect(screen.queryByRole('group', { name: /empty list/ })).toBeNull();
    await userEvent.click(check);
    const question = await screen.findByRole('group', { name: /12 documents have an empty list of annotations/ });
    await userEvent.click(within(question).getByRole('radio', { name: /They have been reviewed/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('Import finished')).toBeVisible();
    expect(asked).toEqual(['true unsaid', 'import true']);
  });

  it('does not ask for files without any, nor when labels are ignored', async () => {
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.json', '[{"text": "x"}]'));
    expect(await screen.findByText('a.json')).toBeVisible();
    expect(screen.queryByRole('group', { name: /empty list/ })).toBeNull();
  });

  it('shows help inside the dialog (D-004)', async () => {
    await renderStudio('/addDocuments');
    const button = await screen.findByRole('button', { name: 'Help' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(button);
    const help = screen.getByRole('region', { name: 'Help with importing' });
    for (const topic of ['Files', 'Labels', 'Empty lists of labels', 'Existing identifiers', 'Check first'])
      expect(within(help).getByText(topic)).toBeVisible();
    await userEvent.click(button);
    expect(screen.queryByRole('region', { name: 'Help with importing' })).toBeNull();
  });
});
