import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCap } from '@/ui/badge';
import { keyCapTexts } from '@/ui/key-chords';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import { openKeyboardHelp } from '@/ui/palette-store';
import { useStoredChoice } from '@/state/layout-store';
import styles from './documents.module.css';

const HINTS = [
  ['Tab', 'next'],
  ['Enter', 'edit'],
  ['1–9', 'label'],
  ['Y', 'accept'],
  ['N', 'reject'],
  ['Del', 'remove'],
  ['R', 'resize'],
  [keyCapTexts('Mod+F').join(' '), 'find'],
  ['V', 'validate'],
  [keyCapTexts('Mod+Z').join(' '), 'undo'],
] as const;

const ALWAYS: ReadonlySet<string> = new Set(['label', 'undo', 'find', 'validate']);

/** Key hints of the document screen; can be hidden. `marks`: spans can be annotated here, not only the document. */
export function KeyHintBar({ marks }: { readonly marks: boolean }): ReactNode {
  const { t } = useTranslation('documents');
  const [shown, show] = useStoredChoice<'yes' | 'no'>('documents/hints', 'yes');
  if (shown === 'no') return null;
  return (
    <div className={styles['hints']} role="note">
      <ul>
        {HINTS.filter(([, name]) => marks || ALWAYS.has(name)).map(([key, name]) => (
          <li key={name}>
            <KeyCap>{key}</KeyCap>
            {t(`hint.${name}`)}
          </li>
        ))}
      </ul>
      <Button small kind="quiet" keyCap="?" onClick={openKeyboardHelp}>
        {t('hint.all')}
      </Button>
      <IconButton small label={t('hint.hide')} icon={X} onClick={() => show('no')} />
    </div>
  );
}
