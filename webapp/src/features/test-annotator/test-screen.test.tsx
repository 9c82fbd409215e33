import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, server } from '@/test/server';
import { selectedAnnotator } from './test-screen';

const byType = { learner: [{ name: 'a', label: 'A', engine: 'e' }], plan: [{ name: 'b', label: 'B', engine: 'e', isDefault: true }] };

describe('test of an annotator (R-021, S-056)', () => {
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    useSessionStore.setState({ projectName: 'press' });
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeTest'] }),
      ),
      http.get('*/api/projects/:name/annotators_by_type', () => HttpResponse.json(byType)),
      http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
    );
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  it('selects the requested annotator, else the default one', () => {
    expect(selectedAnnotator(byType, 'a')).toBe('a');
    expect(selectedAnnotator(byType, 'gone')).toBe('b');
    expect(selectedAnnotator({}, 'a')).toBe('');
  });

  it('sends the text unchanged and converts code points of the response', async () => {
    let sent = '';
    server.use(
      http.post('*/api/projects/:name/annotators/:annotator/_annotate', async ({ request, params }) => {
        expect(request.headers.get('content-type')).toContain('text/plain');
        expect(params['annotator']).toBe('b');
        sent = await request.text();
        return HttpResponse.json({ text: sent, annotations: [{ start: 2, end: 6, labelName: 'place', score: 0.5 }], categories: [] });
      }),
    );
    await renderStudio('/test');
    await userEvent.type(await screen.findByLabelText('Text to annotate'), '😀 Rome');
    await userEvent.click(screen.getByRole('button', { name: /Annotate/ }));
    expect(await screen.findByRole('cell', { name: 'Rome' })).toBeVisible();
    expect(sent).toBe('😀 Rome');
  });

  it('E-041 shows an error in place and keeps the text', async () => {
    server.use(http.post('*/api/projects/:name/annotators/:annotator/_annotate', () => errorResponse(400, 'The model is missing')));
    await renderStudio('/test');
    const box = await screen.findByLabelText('Text to annotate');
    await userEvent.type(box, 'Rome');
    await userEvent.click(screen.getByRole('button', { name: /Annotate/ }));
    expect(await screen.findByText('We failed to annotate the document.')).toBeVisible();
    expect(box).toHaveValue('Rome');
  });
});
