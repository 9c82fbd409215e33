/** What is used most is on the first row of the toolbar of a document in a narrow window. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { http, HttpResponse } from 'msw';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { inNarrowWindow } from '@/test/narrow-window';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { Page } from '@/ui/page';
import { DocumentToolbar } from './document-toolbar';
import { HistoryButtons } from './history-buttons';

const UNDO_REDO = { undo: undefined, redo: undefined, last: undefined, undoOrRedo: () => undefined } as unknown as UndoRedo;
const nothing = (): undefined => undefined;

function show() {
  const toolbar = (
    <DocumentToolbar
      position={{ index: 3, total: 9 }}
      listPath="/documents"
      labelling={{ project: 'press' } as LabellingEditor}
      writable={false}
      history={<HistoryButtons undoRedo={UNDO_REDO} writable open={false} onToggle={nothing} />}
      {...{ review: null, comments: null, onMove: nothing, onDownload: undefined, onDelete: undefined }}
    />
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ProjectLabelsProvider project="press">
          <Page screen="document" toolbar={toolbar}>
            text
          </Page>
        </ProjectLabelsProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const buttons = (part: HTMLElement) =>
    within(part)
      .getAllByRole('button', { hidden: true })
      .map((button) => button.getAttribute('aria-label'));
  return { buttons, row: screen.getByRole('toolbar') };
}

inNarrowWindow();
beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' });
  server.use(http.get('*/api/*', () => HttpResponse.json([])));
  await startTestI18n();
});
afterAll(() => server.close());

it('undo, redo and the next document are on the first row, the rest below it', () => {
  const { buttons, row } = show();
  const first = buttons(row);
  expect(first).toEqual(
    expect.arrayContaining(['Undo last change', 'Redo last change', 'Previous document', 'Next document', 'More tools']),
  );
  expect(first).not.toContain('First document');
  const more = document.querySelector<HTMLElement>('[role="group"][aria-label="More tools"]');
  expect(more && buttons(more)).toEqual(expect.arrayContaining(['First document', 'Last document', 'Show the history']));
});
