import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { termQueryOfTyped } from '@/api/resources/terms';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { ALLERGIC, ASTHMA, lexiconHandlers } from '@/test/lexicons';
import { startTestI18n } from '@/test/render';
import { errorResponse, server } from '@/test/server';
import { parseRecentTerms, withRecentTerm } from './recent-terms';
import { TermPicker, type TermPickerProps } from './term-picker';

let lexicons: ReturnType<typeof lexiconHandlers>;

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' });
  await startTestI18n();
});
beforeEach(() => {
  lexicons = lexiconHandlers();
  server.use(...lexicons.handlers);
  useLayoutStore.setState({ choices: {} });
  useSessionStore.setState({ projectName: 'press', projectReadOnly: false, permissions: new Set(['useSearch', 'importTerms']) });
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

function show(more: Partial<TermPickerProps> = {}) {
  const onPick = vi.fn();
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TermPicker project="press" words="asthma" linked={[]} purpose="link" {...{ onPick, onClose }} {...more} />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), onPick, onClose, box: screen.getByRole('combobox') };
}

const options = () => screen.getAllByRole('option').map((option) => option.textContent);

describe('TermPicker', () => {
  it('has the terms for the words of the annotation; arrows and Enter pick', async () => {
    const { user, onPick, box } = show();
    expect(box).toHaveFocus();
    expect(await screen.findByRole('option', { name: /^asthma/ })).toHaveAttribute('aria-selected', 'true');
    expect(options()).toEqual(['asthma Diseases', 'allergic asthma Diseases']);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(onPick).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ identifier: ALLERGIC.identifier, lexicon: 'diseases' }));
  });

  it('searches what is typed, shows the form that matches, and closes on Escape', async () => {
    const { user, onClose } = show({ words: 'Halden' });
    await user.keyboard('hyperr');
    const option = await screen.findByRole('option', { name: /bronchial hyperreactivity/ });
    expect(option).toHaveTextContent('asthma bronchial hyperreactivity Diseases');
    expect(lexicons.of('/_search').at(-1)?.params.get('query')).toBe('(hyperr*) OR preferredForm:"hyperr" OR identifier:"hyperr"');
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('takes the first term for what is typed when Enter comes before the list', async () => {
    const { user, onPick, box } = show({ words: '' });
    await user.type(box, 'allergic{Enter}');
    await waitFor(() => expect(onPick).toHaveBeenCalledOnce());
    expect(onPick.mock.calls[0]?.[0]).toMatchObject({ identifier: ALLERGIC.identifier });
  });

  it('has the linked terms first; where one is added they are shown only', async () => {
    show({ purpose: 'change', linked: [ALLERGIC] });
    await waitFor(() => expect(options()).toEqual(['allergic asthma Diseases · linked', 'asthma Diseases']));
    expect(screen.getAllByRole('option')[0]).toHaveAttribute('aria-selected', 'true');
    cleanup();
    const { user, onPick } = show({ linked: [ALLERGIC] });
    await waitFor(() => expect(options()).toEqual(['allergic asthma Diseases · linked', 'asthma Diseases']));
    const [linked, other] = screen.getAllByRole('option');
    expect(linked).toHaveAttribute('aria-disabled', 'true');
    await user.click(linked as HTMLElement);
    expect(onPick).not.toHaveBeenCalled();
    expect(other).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{Enter}');
    expect(onPick).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ identifier: ASTHMA.identifier }));
  });

  it('has the terms around the linked one when no other matches the words, without typing', async () => {
    const { user, onPick, box } = show({ words: 'hyperreactivity', linked: [ASTHMA], creates: false });
    await waitFor(() =>
      expect(options()).toEqual(['asthma Diseases · linked', 'bronchial disease Diseases · parent', 'allergic asthma Diseases · child']),
    );
    expect(box).toHaveValue('');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(onPick).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ identifier: ALLERGIC.identifier, lexicon: 'diseases' }));
  });

  it('offers the recent terms of the project while nothing is typed', async () => {
    const { user, onPick } = show();
    await user.click(await screen.findByRole('option', { name: /^asthma/ }));
    expect(onPick).toHaveBeenCalledOnce();
    cleanup();
    show({ words: 'Halden', creates: false });
    await waitFor(() => expect(options()).toEqual(['Halden Places', 'asthma Diseases · recent']));
  });

  it('creates a term from the words where a lexicon allows it, and picks it', async () => {
    const { user, onPick, box } = show({ words: '' });
    await user.type(box, 'lung flu');
    await user.click(await screen.findByRole('option', { name: 'Create “lung flu” in Diseases' }));
    await waitFor(() => expect(onPick).toHaveBeenCalledOnce());
    expect(lexicons.of('/diseases')[0]?.body).toEqual({ preferredForm: 'lung flu' });
    expect(onPick.mock.calls[0]?.[0]).toMatchObject({ lexicon: 'diseases', identifier: 'derived', preferredForm: 'lung flu' });
    // `places` is not edited by hand.
    expect(screen.queryByRole('option', { name: /in Places/ })).toBeNull();
  });

  it('keeps what was typed when the term is refused', async () => {
    server.use(http.post('*/api/projects/press/lexicons/diseases', () => errorResponse(409, 'There is such a term')));
    const { user, onPick, box } = show({ words: '' });
    await user.type(box, 'lung flu');
    await user.click(await screen.findByRole('option', { name: /^Create/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('There is such a term');
    expect(box).toHaveValue('lung flu');
    expect(onPick).not.toHaveBeenCalled();
  });

  it('creates nothing without P-014, and searches nothing without P-019', async () => {
    useSessionStore.setState({ permissions: new Set(['useSearch']) });
    const { user, box } = show({ words: '' });
    await user.type(box, 'lung flu');
    expect(await screen.findByText('No term matches')).toBeInTheDocument();
    cleanup();
    useSessionStore.setState({ permissions: new Set() });
    const before = lexicons.of('/_search').length;
    show();
    expect(await screen.findByText('You may not search the terms of this project.')).toBeInTheDocument();
    expect(lexicons.of('/_search')).toHaveLength(before);
  });

  it('finds its options by name', async () => {
    show({ purpose: 'change' });
    expect(screen.getByRole('combobox', { name: 'Search another term' })).toBeInTheDocument();
    const list = screen.getByRole('listbox', { name: 'Terms' });
    expect(await within(list).findAllByRole('option')).not.toHaveLength(0);
  });
});

describe('the query for what is typed', () => {
  it.each([
    ['', ''],
    ['  ', ''],
    ['lung can', '(lung AND can*) OR preferredForm:"lung can" OR identifier:"lung can"'],
    ['DOID:162', '(DOID\\:162*) OR preferredForm:"DOID:162" OR identifier:"DOID:162"'],
    ['and NOT or', '(and AND "NOT" AND or*) OR preferredForm:"and NOT or" OR identifier:"and NOT or"'],
    ['a"b', '(a\\"b*) OR preferredForm:"a\\"b" OR identifier:"a\\"b"'],
  ])('of %j', (typed, query) => expect(termQueryOfTyped(typed)).toBe(query));
});

describe('recent terms', () => {
  it('are the last eight, each once, the newest first', () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ ...ASTHMA, identifier: String(at) }));
    const recent = [...many, many[3]!].reduce(withRecentTerm, [] as Parameters<typeof withRecentTerm>[0]);
    expect(recent.map(({ identifier }) => identifier)).toEqual(['3', '11', '10', '9', '8', '7', '6', '5']);
    expect(parseRecentTerms(JSON.stringify(recent))).toEqual(recent);
  });

  it.each(['', 'null', '{"a":1}', '[1,null,{"identifier":3}]'])('are none in %j', (stored) => expect(parseRecentTerms(stored)).toEqual([]));
});
