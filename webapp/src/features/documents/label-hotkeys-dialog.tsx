import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { currentCommands } from '@/ui/command-registry';
import { hotkeyProblem, labelsWithHotkeys, withProposedHotkeys, type Hotkeys } from '@/annotation/keyboard/hotkeys';
import styles from '@/blocks/labelling/labelling.module.css';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useLabelHotkeys } from '@/blocks/labelling/use-label-hotkeys';

interface HotkeysDialogProps {
  readonly project: string;
  readonly onClose: () => void;
}

/** One character per label; keys used by the web app or the browser are refused with the reason. */
function LabelHotkeysDialog({ project, onClose }: HotkeysDialogProps): ReactNode {
  const { t } = useTranslation(['keys', 'common']);
  const { spanSets, categorySets } = useProjectLabels();
  const labels = [...spanSets, ...categorySets].flatMap((set) => set.labels);
  const [saved, save] = useLabelHotkeys(project);
  const [chosen, setChosen] = useState<Hotkeys>(saved);
  // Read once, as the screen behind the dialog does not change while it is open.
  const [commands] = useState(currentCommands);
  const names = new Map(labels.map(({ name, label }) => [name, label]));
  const byOrder = new Map(labelsWithHotkeys(labels, chosen).map(({ name, hotkey }) => [name, hotkey]));
  const keyless = labels.some(({ name }) => (byOrder.get(name) ?? '') === '');
  const problemOf = (name: string) => hotkeyProblem(name, chosen[name] ?? '', chosen, names, commands);
  const wrong = labels.some(({ name }) => problemOf(name) !== undefined);
  const keep = () => {
    save(Object.fromEntries(Object.entries(chosen).filter(([, key]) => key !== '')));
    onClose();
  };
  return (
    <Dialog
      open
      width="small"
      title={t('hotkeys.title')}
      onClose={onClose}
      onSubmit={() => {
        if (!wrong) keep();
      }}
      secondary={
        <>
          <Button kind="quiet" onClick={() => setChosen({})}>
            {t('hotkeys.reset')}
          </Button>
          {keyless && (
            <Button kind="quiet" onClick={() => setChosen(withProposedHotkeys(labels, chosen, commands))}>
              {t('hotkeys.letters')}
            </Button>
          )}
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit" disabled={wrong}>
            {t('hotkeys.save')}
          </Button>
        </>
      }
    >
      <p>{t('hotkeys.text')}</p>
      <ul className={styles['hotkeys']}>
        {labels.map(({ name }) => {
          const { kind, ...values } = problemOf(name) ?? { kind: undefined };
          return (
            <li key={name}>
              <span aria-hidden title={names.get(name)}>
                {names.get(name)}
              </span>
              <TextInput
                hideLabel
                label={t('hotkeys.of', { label: names.get(name) })}
                value={chosen[name] ?? ''}
                placeholder={byOrder.get(name)?.toUpperCase() ?? ''}
                autoComplete="off"
                error={kind === undefined ? undefined : t(`hotkeys.problem.${kind}`, values)}
                onChange={(key) => setChosen({ ...chosen, [name]: key })}
              />
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

/** The dialog to render, and the function that opens it. */
export function useLabelHotkeysDialog(project: string): { readonly dialog: ReactNode; open(): void } {
  const [opened, setOpened] = useState(false);
  return { dialog: opened && <LabelHotkeysDialog project={project} onClose={() => setOpened(false)} />, open: () => setOpened(true) };
}
