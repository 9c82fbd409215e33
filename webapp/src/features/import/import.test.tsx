import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importQuery } from '@/api/resources/uploads';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { job, PERMISSIONS, refuse, server } from '@/test/server';
import {
  changeOptions,
  defaultOptions,
  defaultSegmentation,
  importObstacle,
  MAX_FILES,
  reportCsv,
  sayItem,
  segmentationChoices,
  sortFiles,
  type Entry,
} from './import-rules';

const file = (name: string, text = 'x') => new File([text], name, { lastModified: 1 });
const entry = (name: string, state: Entry['state']): Entry => ({ key: name, file: file(name), state, share: 0 });

describe('rules of the import', () => {
  it('says why Import cannot be pressed (V-012)', () => {
    expect(importObstacle([], false, false, '')).toBe('nothing');
    expect(importObstacle([entry('a', 'failed')], false, false, '')).toBe('nothing');
    expect(importObstacle([entry('a', 'uploaded'), entry('b', 'uploading')], false, false, '')).toBe('uploading');
    expect(importObstacle([entry('a', 'uploaded')], true, false, '')).toBe('importing');
    expect(importObstacle([entry('a', 'uploaded')], false, false, '')).toBeNull();
  });

  it('wants a group once the switch is on (V-013)', () => {
    expect(importObstacle([entry('a', 'uploaded')], false, true, '')).toBe('group');
    expect(importObstacle([entry('a', 'uploaded')], false, true, 'legal')).toBeNull();
  });

  it('sends splitCorpus only when labels are not ignored (V-014)', () => {
    const split = changeOptions(defaultOptions('classification'), { splitCorpus: true });
    expect(importQuery(split)).toMatchObject({ splitCorpus: true });
    const ignored = changeOptions(split, { ignoreLabelling: true });
    expect(ignored.splitCorpus).toBe(false);
    expect(importQuery({ ...split, ignoreLabelling: true })).not.toHaveProperty('splitCorpus');
  });

  it('offers the policies of the nature (C-059)', () => {
    expect(segmentationChoices('sequence_labelling')).not.toContain('no_segmentation');
    expect(segmentationChoices('classification')).toContain('no_segmentation');
    expect(defaultSegmentation('classification')).toBe('no_segmentation');
    expect(defaultSegmentation('sequence_labelling')).toBe('compute_if_missing');
    expect(importQuery({ ...defaultOptions(undefined), segmentation: 'questions_as_segments' })).toEqual({
      segmentationPolicy: 'documents_as_segments',
    });
  });

  it('takes a hundred files at most and none twice (C-044)', () => {
    const many = Array.from({ length: MAX_FILES + 3 }, (_file, index) => file(`${String(index)}.txt`));
    const sorted = sortFiles([...many, file('0.txt')], []);
    expect(sorted.taken).toHaveLength(MAX_FILES);
    expect(sorted.over).toBe(3);
    expect(sorted.duplicates).toEqual(['0.txt']);
  });

  it('writes a report that a spreadsheet cannot run', () => {
    const csv = reportCsv(
      [{ item: '=cmd()', outcome: 'refused', message: 'Not "UTF-8", really' }],
      ['item', 'outcome', 'document', 'message', 'fix'],
    );
    expect(csv).toContain(`'=cmd(),refused,,"Not ""UTF-8"", really",`);
    expect(sayItem({ message: 'The text is missing', fix: 'Give it a text' })).toBe('The text is missing. Give it a text.');
  });
});

describe('the import page (R-007)', () => {
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    useSessionStore.setState({ projectName: 'press' });
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'importDocuments'] }),
      ),
      http.get('*/api/projects/:name/services', () => HttpResponse.json([{ metadata: { extensions: 'json_converter: json/jsonl' } }])),
    );
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  it('uploads, imports and keeps the report when an item is refused', async () => {
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
          total: 2,
          outcomes: { imported: 1, refused: 1 },
          items: [
            { item: 'a.json#1', outcome: 'imported' },
            { item: 'a.json#2', outcome: 'refused', message: 'The text is missing' },
          ],
        }),
      ),
    );
    const { router } = await renderStudio('/addDocuments');
    const input = await screen.findByLabelText(/choose them/);
    expect(screen.getByRole('button', { name: 'Import' })).toBeDisabled();
    await userEvent.upload(input, file('a.json', '[]'));
    const button = await screen.findByRole('button', { name: 'Import 1 file' });
    await waitFor(() => expect(button).toBeEnabled());
    await userEvent.click(button);
    expect(await screen.findByText('The text is missing.')).toBeVisible();
    expect(asked).toEqual(['?segmentationPolicy=compute_if_missing']);
    expect(router.state.location.pathname).toBe('/addDocuments');
    expect(screen.getByRole('button', { name: 'Save report' })).toBeEnabled();
  });

  it('keeps the files when the server refuses the import (E-028)', async () => {
    server.use(
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.json' }])),
      http.post('*/api/projects/:name/documents/_load', () => refuse(400, 'The upload expired')),
    );
    await renderStudio('/addDocuments');
    await userEvent.upload(await screen.findByLabelText(/choose them/), file('a.json', '[]'));
    await userEvent.click(await screen.findByRole('button', { name: 'Import 1 file' }));
    expect(await screen.findByText('We failed to load document')).toBeVisible();
    expect(screen.getByText('a.json')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Import 1 file' })).toBeEnabled();
  });
});
