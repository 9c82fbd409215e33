// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { findCommands } from './command-palette';
import type { Command } from './command-registry';

const one = (title: string, more: Partial<Command> = {}): Command => ({
  id: title,
  title,
  section: 'screen',
  run: () => undefined,
  ...more,
});
const titles = (query: string, ...commands: readonly Command[]) => findCommands(commands, query).map(({ command }) => command.title);

describe('the palette', () => {
  const panel = one('Open or close the panel on the right');
  const split = one('Separate training and test', { keywords: 'split evaluation' });

  it('does not take scattered letters of a long title for an answer', () => {
    expect(titles('split', panel)).toEqual([]);
    expect(titles('split', panel, split)).toEqual(['Separate training and test']);
  });

  it('shows words in titles before words in keywords before what the server found, and letters only without these', () => {
    const found = one('A letter', { section: 'documents', found: true });
    const exact = one('Split the corpus');
    expect(titles('split', found, split, exact)).toEqual(['Split the corpus', 'Separate training and test', 'A letter']);
    expect(titles('profl', one('Go to: Profile'))).toEqual(['Go to: Profile']);
    expect(titles('prof', one('Go to: Profile'), one('Put rows of the field last'))).toEqual(['Go to: Profile']);
  });

  it('offers the search for the words last, and beside letters', () => {
    const words = one('Search the documents for “nxd”', { section: 'words' });
    expect(titles('nxd', words, one('Next document'))).toEqual(['Next document', 'Search the documents for “nxd”']);
  });

  it('offers neither what is disabled nor what is only documented', () => {
    const { run: _run, ...documented } = one('Split by hand');
    expect(titles('split', one('Split now', { disabled: true }), documented)).toEqual([]);
  });

  it('lists everything without a query, movements in the text last', () => {
    expect(titles('', one('Next word', { section: 'text' }), one('Save'))).toEqual(['Save', 'Next word']);
  });
});
