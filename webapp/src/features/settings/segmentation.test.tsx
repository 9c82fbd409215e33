/** The segmentation card of the settings, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '@/api/resources/jobs';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';
import { nonzeroDetachedCounts, segmenterChoiceWithDefaults, resegmentationResult, latestSegmentationJob } from './segmentation-job';

const SCHEMA = {
  type: 'object',
  properties: { newlines: { type: 'string', title: 'Line breaks', enum: ['blank_line', 'always'], default: 'blank_line' } },
};
const COUNTS = { documents: 20, changed: 12, refused: 1, segmentsBefore: 300, segmentsAfter: 120, kept: 40 };
const APART = { categories: 2, suggestions: 0, metadata: 1, annotations: 0 };

let patched: unknown[] = [];
let started = 0;
let jobs: Partial<Job>[] = [];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  patched = [];
  started = 0;
  jobs = [];
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeSettings', 'seeAdvancedSettings', 'writeProject:press'] }),
    ),
    http.get('*/api/projects/press/_info', () =>
      HttpResponse.json({
        name: 'press',
        label: 'Press',
        lang: 'en',
        nature: 'sequence_labelling',
        readOnly: false,
        segmenter: { name: 'rule_sentence', parameters: { newlines: 'always' }, annotationsWhole: true },
      }),
    ),
    http.get('*/api/projects/press/services', () =>
      HttpResponse.json([
        { name: 'rule_sentence', metadata: { title: 'Sentences', description: 'Each sentence is one segment.' } },
        { name: 'document', metadata: { title: 'Whole document', description: 'Each document is one segment.' } },
      ]),
    ),
    http.get('*/api/projects/press/engine_parameters', ({ request }) => {
      const engine = new URL(request.url).searchParams.get('engine');
      const schema = engine === 'document' ? { type: 'object', properties: {} } : SCHEMA;
      return HttpResponse.json({ schema, uiSchema: {}, defaults: {}, title: engine, description: '' });
    }),
    http.get('*/api/projects/press/vectorizers', () => HttpResponse.json({ vectorizations: [], vectorizers: [] })),
    http.get('*/api/projects/press/jobs', () => HttpResponse.json(jobs)),
    http.patch('*/api/projects/press/config', async ({ request }) => {
      patched.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/projects/press/segments/_preview_recompute', () =>
      HttpResponse.json({
        total: { documents: 50, segments: 900 },
        sample: { ...COUNTS, ...APART },
        examples: ['First one.', 'Second one.'],
      }),
    ),
    http.post('*/api/projects/press/segments/_recompute', () => {
      started += 1;
      jobs = [job({ status: 'STARTED', currentStepCount: 5, totalStepCount: 50, statusMessage: '5 of 50 documents' })];
      return HttpResponse.json(jobs[0]);
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const job = (more: Record<string, unknown>) =>
  ({ id: 'j1', type: 'PROJECT_SEGMENTATION', description: '', project: 'press', createdBy: 'ana', createdAt: 1, ...more }) as Partial<Job>;

describe('segmentation', () => {
  it('S-024 saves the segmenter with its parameters and explains that documents are not changed', async () => {
    const user = userEvent.setup();
    void renderStudio('/settings/documents');
    const whole = await screen.findByRole('switch', { name: 'Keep annotations whole' });
    await screen.findByText('Line breaks');
    const card = screen.getByRole('heading', { name: 'Segments' }).closest('section') as HTMLElement;
    await user.click(whole);
    await user.click(within(card).getByRole('button', { name: 'Save changes' }));
    await waitFor(() =>
      expect(patched).toEqual([{ segmenter: { name: 'rule_sentence', parameters: { newlines: 'always' }, annotationsWhole: false } }]),
    );
    expect(await screen.findByText(/recompute to apply it to existing documents/)).toBeTruthy();
  });

  it('S-024 shows the effects before it starts, then the progress', async () => {
    const user = userEvent.setup();
    void renderStudio('/settings/documents');
    await user.click(await screen.findByRole('button', { name: 'Recompute segments' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('The project has 50 documents in 900 segments.');
    expect(within(dialog).getByText('Tried on 20 documents: 12 would change, 300 segments would become 120.')).toBeTruthy();
    expect(within(dialog).getByText('2 categories of sentences')).toBeTruthy();
    expect(within(dialog).getByText('1 segment with metadata')).toBeTruthy();
    expect(within(dialog).queryByText(/suggestions$/)).toBeNull();
    expect(within(dialog).getByText('Second one.')).toBeTruthy();
    expect(started).toBe(0);
    const path = '*/api/projects/press/segments/_recompute';
    server.use(http.post(path, () => HttpResponse.json({ code: 400, message: 'Not now' }, { status: 400 }), { once: true }));
    await user.click(within(dialog).getByRole('button', { name: 'Recompute segments' }));
    expect(await screen.findByText('We failed to recompute the segments.'), 'E-046').toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Recompute segments' }));
    const bar = await screen.findByRole('progressbar', { name: 'Recomputing segments' });
    expect([started, bar.getAttribute('aria-valuenow')]).toEqual([1, '10']);
  });

  it('shows the result of the last run', async () => {
    jobs = [job({ status: 'COMPLETED', result: { ...COUNTS, ...APART } })];
    void renderStudio('/settings/documents');
    expect(await screen.findByText('Last time: 12 of 20 documents changed, 300 segments became 120.')).toBeTruthy();
    expect(screen.getByText('1 document cannot be segmented this way and keeps its segments.')).toBeTruthy();
  });

  it('prefers the running job to the newest finished one', () => {
    const rows = [
      job({ id: 'old', status: 'COMPLETED', createdAt: 1 }),
      job({ id: 'new', status: 'FAILED', createdAt: 3 }),
      job({ id: 'import', type: 'DOC_IMPORT', status: 'STARTED', createdAt: 9 }),
    ] as Job[];
    expect(latestSegmentationJob(rows)?.id).toBe('new');
    expect(latestSegmentationJob([...rows, job({ id: 'now', status: 'STARTED', createdAt: 2 }) as Job])?.id).toBe('now');
    expect(latestSegmentationJob([])).toBeUndefined();
    expect(resegmentationResult(job({ status: 'FAILED', result: COUNTS }) as Job)).toBeUndefined();
    expect(nonzeroDetachedCounts(APART)).toEqual([
      { kind: 'categories', count: 2 },
      { kind: 'metadata', count: 1 },
    ]);
    expect(segmenterChoiceWithDefaults(undefined, 'rule_sentence')).toEqual({
      name: 'rule_sentence',
      parameters: {},
      annotationsWhole: true,
    });
  });
});
