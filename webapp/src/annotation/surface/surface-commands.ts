/** Commands of the text for the palette and the help sheet: the table of keys with texts, and the labels with their hotkeys. */
import i18next from 'i18next';
import type { Command } from '@/ui/command-registry';
import { BINDINGS, isBindingAvailable, DOCUMENTED_KEYS, chordInTextDirection } from '@/annotation/keyboard/key-bindings';
import type { Binding, KeyAction, SurfaceKeyState } from '@/annotation/keyboard/key-bindings';
import type { LabelAppearance } from '@/annotation/drawing/label-style';

const translateKeyText = (id: string, values: Record<string, string> = {}) => i18next.t(`keys:surface.${id}`, values);

/** `perform` also returns the focus to the text. */
export function surfaceCommands(
  state: SurfaceKeyState,
  labels: readonly LabelAppearance[],
  perform: (action: KeyAction) => void,
): readonly Command[] {
  const keyOf = new Map([...state.hotkeys].map(([key, name]) => [name, key.toUpperCase()]));
  const here = ({ writes, links, terms }: Pick<Binding, 'writes' | 'links' | 'terms'>) =>
    (writes !== true || !state.readOnly) && (links !== true || state.linkable === true) && (terms !== true || state.takesTerms === true);
  const bound = BINDINGS.filter(here).map((binding): Command => ({
    id: `text.${binding.id}`,
    section: binding.section,
    title: translateKeyText(binding.id),
    keys: binding.keys.map((chord) => chordInTextDirection(chord, state.direction)),
    ownKeys: true,
    disabled: !isBindingAvailable(binding, state),
    run: () => perform(binding.action),
  }));
  const told = DOCUMENTED_KEYS.filter(here).map(({ id, keys, section }): Command => ({
    id: `text.${id}`,
    section,
    title: translateKeyText(id),
    keys: keys.map((chord) => chordInTextDirection(chord, state.direction)),
  }));
  if (state.readOnly) return [...bound, ...told];
  const given = labels.map(({ name, label }): Command => {
    const key = keyOf.get(name);
    return {
      id: `label.${name}`,
      section: 'labels',
      title: translateKeyText('label', { label }),
      ...(key !== undefined && { keys: [key] }),
      ownKeys: true,
      disabled: !state.hasSelection && !state.hasFocus,
      run: () => perform({ do: 'label', label: name }),
    };
  });
  return [...bound, ...told, ...given];
}
