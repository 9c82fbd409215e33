// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { parseLabelList, previewColours, splitListLine } from './label-list';

describe('a pasted list of labels', () => {
  it('has one label a line, with colour, key and guideline', () => {
    expect(parseLabelList('Person\r\n\nPlace, #112233, p, Towns, countries and seas\n', ['person'])).toEqual([
      { line: 1, label: 'Person', color: '', key: '', guideline: '', known: true, problem: undefined },
      { line: 3, label: 'Place', color: '#112233', key: 'p', guideline: 'Towns, countries and seas', known: false, problem: undefined },
    ]);
  });

  it('may come from a table, or have quoted names', () => {
    expect(splitListLine('Place\t#112233\tp\tTowns, seas')).toEqual(['Place', '#112233', 'p', 'Towns, seas']);
    expect(splitListLine('"Place, of birth", #112233')).toEqual(['Place, of birth', '#112233']);
    expect(splitListLine('Place; #112233; p; a, b')).toEqual(['Place', '#112233', 'p', 'a, b']);
    expect(splitListLine('Place,,,one, two')).toEqual(['Place', '', '', 'one, two']);
  });

  it('says what is wrong with a line', () => {
    const problems = (text: string) => parseLabelList(text, [], ['q']).map(({ problem }) => problem);
    expect(problems(', #112233')).toEqual(['name']);
    expect(problems('Place, blue')).toEqual(['colour']);
    expect(problems('Place,,pp')).toEqual(['key']);
    expect(problems('Place,,Q')).toEqual(['keyTaken']);
    expect(problems('Place,,p\nplace\nPort,,P')).toEqual([undefined, 'twice', 'keyTaken']);
  });

  it('shows the colours that the labels will get', () => {
    const listed = parseLabelList('A\nB,#112233\nC\nKnown', ['known']);
    const next = (used: readonly string[]) => `next of ${String(used.length)}`;
    expect(previewColours(listed, ['#000000'], next)).toEqual(['next of 1', '#112233', 'next of 3', '']);
  });
});
