import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { importParams } from '@/api/resources/document-imports';
import { itemMessageAndFix, itemMessage } from '@/blocks/jobs/report-messages';
import { droppedFiles, folderOf, rememberFolder } from '@/ui/dropped-files';
import { serveImportPageForEachTest } from '@/test/import-page';
import { renderStudio } from '@/test/render';
import { job, errorResponse, server } from '@/test/server';
import {
  changeImportOptions,
  defaultImportOptions,
  defaultSegmentation,
  importObstacle,
  optionsForNextImport,
  changedValues,
  converterFieldErrors,
  fileKey,
  MAX_FILES,
  convertersForFiles,
  segmentationChoices,
  acceptNewFiles,
  type UploadEntry,
} from './import-rules';

const file = (name: string, text = 'x') => new File([text], name, { lastModified: 1 });
const entry = (name: string, state: UploadEntry['state']): UploadEntry => ({ key: name, file: file(name), state, share: 0 });

describe('rules of the import', () => {
  it('states why the import cannot be started (V-012)', () => {
    expect(importObstacle([], false, false, '')).toBe('nothing');
    expect(importObstacle([entry('a', 'failed')], false, false, '')).toBe('nothing');
    expect(importObstacle([entry('a', 'uploaded'), entry('b', 'uploading')], false, false, '')).toBe('uploading');
    expect(importObstacle([entry('a', 'uploaded')], true, false, '')).toBe('importing');
    expect(importObstacle([entry('a', 'uploaded')], false, false, '')).toBeNull();
  });

  it('requires a group once the switch is on (V-013)', () => {
    expect(importObstacle([entry('a', 'uploaded')], false, true, '')).toBe('group');
    expect(importObstacle([entry('a', 'uploaded')], false, true, 'legal')).toBeNull();
  });

  it('V-037 sends the group under the parameter of its origin, and none when none is chosen', () => {
    const chosen = { ...defaultImportOptions(undefined), group: 'legal' };
    expect(importParams(chosen)).toMatchObject({ groupName: 'legal' });
    expect(importParams(chosen)).not.toHaveProperty('idpGroupIdentifier');
    expect(importParams(chosen, true)).toMatchObject({ idpGroupIdentifier: 'legal' });
    expect(importParams(chosen, true)).not.toHaveProperty('groupName');
    for (const sso of [false, true])
      expect(Object.keys(importParams(defaultImportOptions(undefined), sso))).toEqual(['segmentationPolicy']);
  });

  it('starts with the settings of the last import, even if they are incomplete', () => {
    const chosen = { ...defaultImportOptions('classification'), splitCorpus: true, converter: 'csv', group: 'legal' };
    expect(optionsForNextImport(JSON.stringify(chosen), 'classification')).toEqual({ ...chosen, group: '' });
    expect(optionsForNextImport(JSON.stringify(chosen), 'sequence_labelling')?.segmentation).toBe('compute_if_missing');
    expect(optionsForNextImport('{"splitCorpus":"yes","other":1}', undefined)).toEqual(defaultImportOptions(undefined));
    expect([optionsForNextImport('', undefined), optionsForNextImport('{', undefined)]).toEqual([null, null]);
  });

  it('sends splitCorpus only when labels are not ignored (V-014)', () => {
    const split = changeImportOptions(defaultImportOptions('classification'), { splitCorpus: true });
    expect(importParams(split)).toMatchObject({ splitCorpus: true });
    const ignored = changeImportOptions(split, { ignoreLabelling: true });
    expect(ignored.splitCorpus).toBe(false);
    expect(importParams({ ...split, ignoreLabelling: true })).not.toHaveProperty('splitCorpus');
  });

  it('offers the policies of the nature (C-059)', () => {
    expect(segmentationChoices('sequence_labelling')).not.toContain('no_segmentation');
    expect(segmentationChoices('classification')).toContain('no_segmentation');
    expect(defaultSegmentation('classification')).toBe('no_segmentation');
    expect(defaultSegmentation('sequence_labelling')).toBe('compute_if_missing');
    expect(importParams({ ...defaultImportOptions(undefined), segmentation: 'questions_as_segments' })).toEqual({
      segmentationPolicy: 'documents_as_segments',
    });
  });

  it('accepts at most a hundred files and no duplicates (C-044)', () => {
    const many = Array.from({ length: MAX_FILES + 3 }, (_file, index) => file(`${String(index)}.txt`));
    const sorted = acceptNewFiles([...many, file('0.txt')], []);
    expect(sorted.taken).toHaveLength(MAX_FILES);
    expect(sorted.over).toBe(3);
    expect(sorted.duplicates).toEqual(['0.txt']);
  });

  it('shows the fix once', () => {
    expect(itemMessage({ message: 'The text is missing', fix: 'Add a text to it' })).toBe('The text is missing. Add a text to it.');
    expect(itemMessageAndFix({ message: 'It is locked. Unlock it', fix: 'Unlock it' })).toEqual({
      why: 'It is locked. Unlock it.',
      todo: '',
    });
  });

  it('treats files with the same name in two folders as two files, and remembers the folders of a drop', async () => {
    const [one, two] = [rememberFolder(file('a.txt'), 'press/sport'), rememberFolder(file('a.txt'), 'press/law')];
    expect(fileKey(one)).not.toBe(fileKey(two));
    expect(acceptNewFiles([one, two, rememberFolder(file('a.txt'), 'press/law')], [])).toMatchObject({ duplicates: ['press/law/a.txt'] });
    const leaf = (name: string) => ({ name, isFile: true, isDirectory: false, file: (take: (found: File) => void) => take(file(name)) });
    const folder = (name: string, children: object[]) => {
      const parts = [children, []];
      return {
        name,
        isDirectory: true,
        isFile: false,
        createReader: () => ({ readEntries: (take: (c: object[]) => void) => take(parts.shift() ?? []) }),
      };
    };
    const tree = folder('press', [leaf('b.txt'), leaf('.DS_Store'), folder('law', [leaf('a.txt')])]);
    const items = [{ webkitGetAsEntry: () => tree }, { webkitGetAsEntry: () => leaf('top.txt') }];
    const found = await droppedFiles({ items, files: [] } as unknown as DataTransfer, 10);
    expect(found.map((one) => [folderOf(one), one.name])).toEqual([
      ['press', 'b.txt'],
      ['press/law', 'a.txt'],
      ['', 'top.txt'],
    ]);
  });

  it("sends only parameters that differ from the converter's defaults, and assigns errors to its fields", () => {
    const defaults = { columns: [], encoding: null, header: true };
    expect(changedValues({ ...defaults, columns: ['a'] }, defaults)).toEqual({ columns: ['a'] });
    expect(changedValues({ columns: [], header: true }, defaults)).toBeNull();
    const options = { ...defaultImportOptions(undefined), skipDuplicates: true, cleanText: 'true' as const, converter: 'txt' };
    expect(importParams({ ...options, converterParameters: { csv: { columns: ['a'] } } })).toEqual({
      segmentationPolicy: 'compute_if_missing',
      cleanText: 'true',
      skipDuplicates: true,
      converter: 'txt',
      converterParameters: '{"csv":{"columns":["a"]}}',
    });
    expect(
      converterFieldErrors(
        [
          { field: 'csv.columns', message: 'No' },
          { field: 'csvx.a', message: 'No' },
        ],
        'csv',
      ),
    ).toEqual([{ field: 'columns', message: 'No' }]);
  });

  it('offers the converters that will read the files', () => {
    const of = (name: string, ...extensions: string[]) => ({ name, title: name, description: '', extensions });
    const all = [of('csv', 'csv', 'tsv'), of('txt', 'txt')];
    const names = (files: string[], chosen = '') => convertersForFiles(all, files, chosen).map(({ name }) => name);
    expect(names(['a.TSV'])).toEqual(['csv']);
    expect(names([])).toEqual(['csv', 'txt']);
    expect(names(['a.tsv', 'b.zip'])).toEqual(['csv', 'txt']);
    expect(names(['a.tsv'], 'txt')).toEqual(['txt']);
  });
});

describe('the import page (R-007)', () => {
  serveImportPageForEachTest();

  it('uploads, imports and shows the report when an item is refused', async () => {
    const asked: string[] = [];
    server.use(
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.json' }])),
      http.post('*/api/projects/:name/documents/_load', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json(job('j1', { status: 'STARTED' }));
      }),
      http.get('*/api/projects/:name/job/j1', () =>
        HttpResponse.json(job('j1', { status: 'COMPLETED', result: { imported: 1, refused: 1 } } as never)),
      ),
      http.get('*/api/projects/:name/job/j1/items', () =>
        HttpResponse.json({
          total: 3,
          outcomes: { imported: 1, refused: 1_201 },
          items: [
            { item: 'a.json#1', outcome: 'imported', documentIdentifier: 'one' },
            { item: 'a.json#2', outcome: 'refused', message: 'The text is missing', fix: 'Add a text to it' },
            {
              item: '…0f1e',
              outcome: 'refused',
              isSum: true,
              count: 1_200,
              message: 'and 1,200 more of this kind: The text is missing',
            },
          ],
        }),
      ),
    );
    const { router } = await renderStudio('/addDocuments');
    const input = await screen.findByLabelText(/choose them/);
    expect(screen.getByRole('button', { name: 'Import' })).toBeDisabled();
    await userEvent.upload(input, [file('a.json', '[]'), file('picture.png')], { applyAccept: false });
    expect(await screen.findByRole('alert')).toHaveTextContent('picture.png');
    const button = await screen.findByRole('button', { name: 'Import 1 file' });
    await waitFor(() => expect(button).toBeEnabled());
    await userEvent.click(button);
    expect(await screen.findByText('The text is missing.')).toBeVisible();
    // Items without an entry of their own are counted: the figure is the number of all received items.
    expect(screen.getByText('and 1,200 more of this kind: The text is missing.')).toBeVisible();
    expect(screen.queryByText('…0f1e')).toBeNull();
    expect(screen.getAllByText(/1,201/u).length).toBeGreaterThan(0);
    expect(screen.getByText('What to do:', { exact: false }).parentElement).toHaveTextContent('What to do: Add a text to it.');
    expect(screen.getByRole('link', { name: 'Open one' })).toHaveAttribute('href', expect.stringContaining('/document/'));
    expect(asked).toEqual(['?segmentationPolicy=compute_if_missing']);
    expect(router.state.location.pathname).toBe('/addDocuments');
    expect(screen.getByRole('button', { name: 'Save report' })).toBeEnabled();
  });

  it("refuses no file by type while the server's file types are unknown", async () => {
    server.use(
      http.get('*/api/projects/:name/services', () => errorResponse(500, 'No record')),
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.docx' }])),
    );
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.docx'), { applyAccept: false });
    expect(await screen.findByRole('button', { name: 'Import 1 file' })).toBeVisible();
    expect(screen.queryByText(/cannot be read/u)).toBeNull();
  });

  it('keeps the files when the server refuses the import (E-028)', async () => {
    server.use(
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.json' }])),
      http.post('*/api/projects/:name/documents/_load', () => errorResponse(400, 'The upload expired')),
    );
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.json', '[]'));
    await userEvent.click(await screen.findByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('We failed to load document')).toBeVisible();
    expect(screen.getByText('a.json')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Import 1 file' })).toBeEnabled();
  });

  it('shows what the import would do before anything is written, then imports the same files', async () => {
    const asked: string[] = [];
    server.use(
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.json' }])),
      http.post('*/api/projects/:name/documents/_load', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('dryRun') ?? 'import');
        return HttpResponse.json(job(asked.length === 1 ? 'c1' : 'j1', { status: 'STARTED' }));
      }),
      http.get('*/api/projects/:name/job/:id', ({ params }) =>
        HttpResponse.json(
          job(String(params['id']), {
            result:
              params['id'] === 'c1'
                ? { dryRun: true, imported: 1, segments: 3, newLabels: ['Person'], newLabelCount: 1 }
                : { imported: 1, refused: 1 },
          } as never),
        ),
      ),
      http.get('*/api/projects/:name/job/:id/items', () =>
        HttpResponse.json({
          total: 1,
          outcomes: { imported: 1 },
          items: [
            {
              item: 'a.json#1',
              outcome: 'imported',
              documentIdentifier: 'one',
              facts: { title: '', start: 'Marie sleeps.', characters: 13, segments: 3, annotations: 0, categories: 0 },
            },
          ],
        }),
      ),
    );
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.json', '[]'));
    const check = screen.getByRole('button', { name: 'Check first' });
    await waitFor(() => expect(check).toBeEnabled());
    await userEvent.click(check);
    expect(await screen.findByText('Nothing has been imported yet.')).toBeVisible();
    expect(screen.getByText('1 label would be created: Person')).toBeVisible();
    expect(screen.getByText('Marie sleeps.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open one' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('Import finished')).toBeVisible();
    expect(asked).toEqual(['true', 'import']);
  });

  it('keeps the input when the server refuses a parameter, and shows the reason at its field', async () => {
    const schema = { type: 'object', properties: { text_columns: { type: 'string', title: 'Text columns' } } };
    server.use(
      http.get('*/api/projects/:name/services', () =>
        HttpResponse.json([{ name: 'csv', metadata: { title: 'Tables', extensions: 'csv: csv' } }]),
      ),
      http.get('*/api/projects/:name/engine_parameters', () => HttpResponse.json({ schema, defaults: {}, title: '', description: '' })),
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.csv' }])),
      http.post('*/api/projects/:name/documents/_load', () =>
        HttpResponse.json(
          { code: 400, message: 'Wrong', details: [{ field: 'csv.text_columns', message: 'There is no such column' }] },
          { status: 400 },
        ),
      ),
    );
    await renderStudio('/addDocuments');
    await screen.findByText(/files · csv/);
    await userEvent.upload(screen.getByLabelText(/choose them/), file('a.csv', 'a'));
    await userEvent.click(screen.getByRole('button', { name: /Advanced settings/ }));
    await userEvent.type(await screen.findByLabelText('Text columns'), 'body');
    await userEvent.click(await screen.findByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('There is no such column')).toBeVisible();
    expect(screen.getByLabelText('Text columns')).toHaveValue('body');
    expect(screen.getByText('a.csv')).toBeVisible();
  });
});
