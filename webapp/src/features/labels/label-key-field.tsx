/** The key of one label, where the label is made or edited. Keys belong to the user, in this project. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabelSet } from '@/api/resources/labels';
import { hotkeyProblem, labelsWithHotkeys, proposeHotkey, type HotkeyProblem, type Hotkeys } from '@/annotation/keyboard/hotkeys';
import { BINDINGS } from '@/annotation/keyboard/key-bindings';
import { useLabelHotkeys } from '@/blocks/labelling/use-label-hotkeys';
import { Button } from '@/ui/button';
import { currentCommands, type Command } from '@/ui/command-registry';
import { TextInput } from '@/ui/field';

/** Stands for a label that has no name yet; names of labels have no spaces. */
const NEW = ' new';

export interface LabelKey {
  readonly key: string;
  readonly change: (key: string) => void;
  /** The digit that the label has by its place, if it has no key of its own. */
  readonly byOrder: string;
  readonly problem: HotkeyProblem | undefined;
  /** A free letter for a label of this text. */
  readonly propose: (text: string) => string | undefined;
  /** Stores the key for the label of this name, if it was changed. */
  readonly save: (name: string) => void;
}

export function useLabelKey(project: string, sets: readonly LabelSet[], labelName: string | undefined): LabelKey {
  const [saved, saveAll] = useLabelHotkeys(project);
  const [typed, setTyped] = useState<string>();
  const { t } = useTranslation('keys');
  // Read once, as the screen behind the dialog does not change while it is open. The keys of the text are used on other screens.
  const [commands] = useState((): readonly Command[] => [
    ...currentCommands(),
    ...BINDINGS.map(({ id, keys, section }) => ({ id: `text.${id}`, title: t(`surface.${id}`), section, keys })),
  ]);
  const name = labelName ?? NEW;
  const labels = sets.flatMap((set) => set.labels ?? []);
  const all = labelName === undefined ? [...labels.map((label) => label.name), NEW] : labels.map((label) => label.name);
  const { [name]: before = '', ...others } = saved;
  const key = typed ?? before;
  const byName = new Map(
    labelsWithHotkeys(
      all.map((one) => ({ name: one })),
      others,
    ).map((one) => [one.name, one.hotkey]),
  );
  const texts = new Map(labels.map((label) => [label.name, label.label]));
  const taken = new Set([...byName].flatMap(([one, hotkey]) => (one === name || hotkey === '' ? [] : [hotkey])));
  return {
    key,
    change: setTyped,
    byOrder: byName.get(name) ?? '',
    problem: hotkeyProblem(name, key, saved, texts, commands),
    propose: (text) => proposeHotkey(text, taken, commands),
    save: (made) => {
      if (key === before) return;
      const next: Hotkeys = key === '' ? others : { ...others, [made]: key };
      saveAll(next);
    },
  };
}

export function LabelKeyField({ hotkey, text }: { readonly hotkey: LabelKey; readonly text: string }) {
  const { t } = useTranslation(['labels', 'keys']);
  const { key, change, byOrder, problem } = hotkey;
  const proposed = key === '' && byOrder === '' && text.trim() !== '' ? hotkey.propose(text) : undefined;
  const { kind, ...values } = problem ?? { kind: undefined };
  return (
    <TextInput
      label={t('field.key')}
      value={key}
      placeholder={byOrder.toUpperCase()}
      autoComplete="off"
      help={t(byOrder === '' ? 'field.keyHelp' : 'field.keyByOrder', { key: byOrder.toUpperCase() })}
      error={kind === undefined ? undefined : t(`keys:hotkeys.problem.${kind}`, values)}
      onChange={change}
      aside={
        proposed !== undefined && (
          <Button small kind="quiet" onClick={() => change(proposed)}>
            {t('field.useKey', { key: proposed.toUpperCase() })}
          </Button>
        )
      }
    />
  );
}
