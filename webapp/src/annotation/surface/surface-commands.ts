/** What can be done in the text, for the palette and the help sheet: the table of keys with words, and the labels with their hotkeys. */
import i18next from 'i18next';
import type { Command } from '@/ui/key-registry';
import { BINDINGS, isPossible, DOCUMENTED_KEYS, typedChord } from '@/annotation/keyboard/keys';
import type { Binding, KeyAction, KeyState } from '@/annotation/keyboard/keys';
import type { LabelAppearance } from '@/annotation/drawing/label-style';

const translate = (id: string, values: Record<string, string> = {}) => i18next.t(`keys:surface.${id}`, values);

/** `perform` also gives the focus back to the text. */
export function surfaceCommands(
  state: KeyState,
  labels: readonly LabelAppearance[],
  perform: (action: KeyAction) => void,
): readonly Command[] {
  const keyOf = new Map([...state.hotkeys].map(([key, name]) => [name, key.toUpperCase()]));
  const here = ({ writes, links }: Pick<Binding, 'writes' | 'links'>) =>
    (writes !== true || !state.readOnly) && (links !== true || state.linkable === true);
  const bound = BINDINGS.filter(here).map((binding): Command => ({
    id: `text.${binding.id}`,
    section: binding.section,
    title: translate(binding.id),
    keys: binding.keys.map((chord) => typedChord(chord, state.direction)),
    ownKeys: true,
    disabled: !isPossible(binding, state),
    run: () => perform(binding.action),
  }));
  const told = DOCUMENTED_KEYS.filter(here).map(({ id, keys, section }): Command => ({
    id: `text.${id}`,
    section,
    title: translate(id),
    keys: keys.map((chord) => typedChord(chord, state.direction)),
  }));
  if (state.readOnly) return [...bound, ...told];
  const given = labels.map(({ name, label }): Command => {
    const key = keyOf.get(name);
    return {
      id: `label.${name}`,
      section: 'labels',
      title: translate('label', { label }),
      ...(key !== undefined && { keys: [key] }),
      ownKeys: true,
      disabled: !state.hasSelection && !state.hasFocus,
      run: () => perform({ do: 'label', label: name }),
    };
  });
  return [...bound, ...told, ...given];
}
