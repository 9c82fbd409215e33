import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStoredChoice } from '@/state/layout-store';
import { SwitchRow } from './choice-inputs';
import styles from './command-palette.module.css';
import { Dialog } from './dialog';
import { KeyCaps } from './key-caps';
import { SECTIONS, type Command } from './command-registry';
import { usePaletteStore } from './palette-store';

function CommandKeys({ command }: { readonly command: Command }): ReactNode {
  const { t } = useTranslation('keys');
  return (command.keys ?? []).map((keys, n) => (
    <Fragment key={keys}>
      {n > 0 && <span>{t('or')}</span>}
      <KeyCaps keys={keys} />
    </Fragment>
  ));
}

/** `?`: all keys of this screen, from the command registry. */
export function KeyboardHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('keys');
  const help = usePaletteStore((state) => state.help);
  const [letters, setLetters] = useStoredChoice<'on' | 'off'>('shortcuts.letters', 'on');
  const keyed = (help ?? []).filter(({ keys }) => keys !== undefined && keys.length > 0);
  return (
    <Dialog open={help !== null} title={t('help.title')} onClose={onClose}>
      <div className={styles['columns']}>
        {SECTIONS.filter((section) => keyed.some((command) => command.section === section)).map((section) => (
          <section key={section} aria-label={t(`section.${section}`)}>
            <h3>{t(`section.${section}`)}</h3>
            <dl>
              {keyed
                .filter((command) => command.section === section)
                .map((command) => (
                  <div key={command.id}>
                    <dt>
                      <CommandKeys command={command} />
                    </dt>
                    <dd>{command.title}</dd>
                  </div>
                ))}
            </dl>
            {section === 'labels' && keyed.some(({ id }) => id.startsWith('label.')) && <p>{t('help.mouse')}</p>}
          </section>
        ))}
      </div>
      <SwitchRow label={t('help.letters')} checked={letters === 'on'} onChange={(on) => setLetters(on ? 'on' : 'off')} />
    </Dialog>
  );
}
