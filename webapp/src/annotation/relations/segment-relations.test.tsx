/** Relations and fragments on the card of a segment, by keys; drags are covered by the journey test. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import words from '@/locales/en/relations.json';
import type { RelationProps, SpanRelation } from './relations';
import { SegmentText } from '@/annotation/surface/segment-text';
import { WithAppearance, span } from '@/annotation/testing/fixtures';

const TEXT = 'Ines Okafor leads the Harbour Board of Halden.';
const at = (part: string, id: string, label: string) => span(id, TEXT.indexOf(part), TEXT.indexOf(part) + part.length, label);
const SPANS = [at('Ines Okafor', 'ines', 'person'), at('Harbour Board', 'board', 'organisation')];
const LEADS: SpanRelation = { id: 'r1', name: 'leads', source: 'ines', target: 'board', status: 'saved' };
const STYLE = { line: 'purple', ink: 'indigo' };
const callbacks = { onLink: vi.fn(), onRename: vi.fn(), onReverse: vi.fn(), onUnlink: vi.fn() };
const onResize = vi.fn();

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { relations: words } }, interpolation: { escapeValue: false } });
});
beforeEach(() => {
  for (const act of [...Object.values(callbacks), onResize]) act.mockReset();
});

function Card({ relations, writable = true }: { readonly relations: readonly SpanRelation[]; readonly writable?: boolean }) {
  const [focusedId, setFocused] = useState<string | undefined>(undefined);
  const [relation, setRelation] = useState<string | undefined>(undefined);
  const [names] = useState(() => [{ name: 'leads', style: STYLE }]);
  const [styleOf] = useState(() => () => STYLE);
  const drawn: RelationProps = { relations, names, styleOf, focusedId: relation, onFocus: setRelation, ...(writable && callbacks) };
  const live = writable && { onFocusSpan: setFocused, onResize, renderPicker: () => null };
  return (
    <WithAppearance>
      <SegmentText text={TEXT} name="Segment" spans={SPANS} focusedId={focusedId} relations={drawn} {...live} />
    </WithAppearance>
  );
}

const card = () => screen.getByRole('group', { name: 'Segment' });

describe('the card of a segment', () => {
  it('relates two of its annotations by keys, and returns the focus', async () => {
    const user = userEvent.setup();
    render(<Card relations={[]} />);
    await user.tab();
    await user.tab();
    await user.keyboard('l{Tab}{Enter}');
    expect(screen.getByRole('combobox', { name: 'Name of the relation' })).toHaveFocus();
    await user.keyboard('leads{Enter}');
    expect(callbacks.onLink).toHaveBeenCalledExactlyOnceWith('ines', 'board', 'leads');
    expect(card()).toHaveFocus();
  });

  it('goes to a relation, reverses it and removes it', async () => {
    const user = userEvent.setup();
    render(<Card relations={[LEADS]} />);
    expect(document.querySelector('.ann-relations')).not.toBeNull();
    await user.tab();
    await user.tab();
    await user.keyboard('{Shift>}L{/Shift}');
    expect(screen.getByRole('toolbar', { name: 'Actions on the relation leads' })).toBeInTheDocument();
    await user.keyboard('x');
    expect(callbacks.onReverse).toHaveBeenCalledExactlyOnceWith('r1');
    await user.keyboard('{Delete}');
    expect(callbacks.onUnlink).toHaveBeenCalledExactlyOnceWith('r1');
  });

  it('adds a fragment to an annotation, with a note under the text while it is chosen', async () => {
    const user = userEvent.setup();
    render(<Card relations={[]} />);
    await user.tab();
    await user.tab();
    await user.keyboard('a');
    expect(screen.getByText(/Select the next fragment/)).toBeInTheDocument();
    await user.keyboard('{End}{Enter}');
    const end = TEXT.length;
    expect(onResize).toHaveBeenCalledExactlyOnceWith('ines', {
      start: 0,
      end,
      fragments: [
        { start: 0, end: 'Ines Okafor'.length },
        { start: end - 1, end },
      ],
    });
    expect(screen.queryByText(/Select the next fragment/)).toBeNull();
  });

  it('also draws relations where nothing can be changed', () => {
    render(<Card relations={[LEADS]} writable={false} />);
    expect(document.querySelector('.ann-linked .ann-relations')).not.toBeNull();
    expect(document.querySelector('[tabindex]')).toBeNull();
  });
});
