import MuiDialog from '@mui/material/Dialog';
import { Check, Search } from 'lucide-react';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './command-palette.module.css';
import { fuzzyMatch, type FuzzyMatch } from './fuzzy-match';
import { KeyCaps } from './key-caps';
import type { Command } from './command-registry';
import { usePaletteStore, type PaletteChoices } from './palette-store';

interface Found {
  readonly command: Command;
  readonly match: FuzzyMatch;
}

/**
 * Matching commands, best first; matches in keywords come after those in titles. Without a query, cursor commands come last, as they are
 * used by keys.
 */
export function findCommands(commands: readonly Command[], query: string): readonly Found[] {
  const offered = commands.filter(({ run, disabled }) => run !== undefined && disabled !== true);
  const found = offered.flatMap((command): Found[] => {
    const match = fuzzyMatch(command.title, query);
    if (match !== undefined) return [{ command, match }];
    const words = command.keywords === undefined ? undefined : fuzzyMatch(command.keywords, query);
    return words === undefined ? [] : [{ command, match: { score: words.score - 1000, offsets: [] } }];
  });
  if (query.trim() !== '') return found.sort((a, b) => b.match.score - a.match.score);
  const isMove = ({ command }: Found) => command.section === 'text';
  return [...found.filter((one) => !isMove(one)), ...found.filter(isMove)];
}

/** The command's title with the matched characters marked. */
function HighlightedMatches({ text, places }: { readonly text: string; readonly places: readonly number[] }): ReactNode {
  if (places.length === 0) return text;
  const marked = new Set(places);
  const parts: { text: string; on: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const on = marked.has(at);
    const last = parts.at(-1);
    if (last?.on === on) last.text += text.charAt(at);
    else parts.push({ text: text.charAt(at), on });
  }
  return parts.map((part, n) => (part.on ? <b key={n}>{part.text}</b> : part.text));
}

interface OptionProps {
  readonly id: string;
  readonly found: Found;
  readonly active: boolean;
  readonly onRun: () => void;
}

function PaletteOption({ id, found: { command, match }, active, onRun }: OptionProps): ReactNode {
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      className={styles['option']}
      ref={(element) => {
        if (active) element?.scrollIntoView?.({ block: 'nearest' });
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <span className={styles['title']}>
        <HighlightedMatches text={command.title} places={match.offsets} />
      </span>
      {command.checked === true && <Check size={14} aria-hidden />}
      {command.keys?.[0] !== undefined && <KeyCaps keys={command.keys[0]} />}
    </div>
  );
}

/** Next index for an arrow key in a list of `count`; undefined for other keys. */
function nextOptionIndex(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(count - 1, at + 8);
  if (key === 'PageUp') return Math.max(0, at - 8);
  return undefined;
}

function PaletteBody({ choices, onClose }: { readonly choices: PaletteChoices; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('keys');
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = findCommands(choices.commands, query);
  const at = Math.min(active, Math.max(0, found.length - 1));
  const optionId = (index: number) => `${listId}-${String(index)}`;
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    // Run after the dialog has returned the focus, as the command may move it.
    setTimeout(() => command.run?.());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method is composing, its keys select characters.
    if (event.nativeEvent.isComposing) return;
    const next = nextOptionIndex(event.key, at, found.length);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter') run(found[at]?.command);
    else return;
    event.preventDefault();
  };
  const grouped = query.trim() === '';
  return (
    <div className={styles['palette']} onKeyDown={onKeyDown}>
      <div className={styles['field']}>
        <Search size={16} aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? optionId(at) : undefined}
          aria-label={choices.title}
          placeholder={choices.title}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
        />
        <KeyCaps keys="Escape" />
      </div>
      <div id={listId} role="listbox" aria-label={choices.title} className={styles['list']} tabIndex={-1}>
        {found.map((one, index) => (
          <div key={one.command.id} role="presentation">
            {grouped && one.command.section !== found[index - 1]?.command.section && (
              <div role="presentation" className={styles['section']}>
                {t(`section.${one.command.section}`)}
              </div>
            )}
            <PaletteOption id={optionId(index)} found={one} active={index === at} onRun={() => run(one.command)} />
          </div>
        ))}
      </div>
      <p className={found.length === 0 ? styles['none'] : 'visually-hidden'} role="status">
        {found.length === 0 ? t('palette.none') : t('palette.found', { count: found.length })}
      </p>
    </div>
  );
}

/** `Ctrl K`: fuzzy search of all commands and pages. */
export function CommandPalette(): ReactNode {
  const choices = usePaletteStore((state) => state.palette);
  const close = usePaletteStore((state) => state.close);
  if (choices === null) return null;
  return (
    <MuiDialog
      open
      onClose={close}
      transitionDuration={0}
      slotProps={{ paper: { className: styles['paper'], 'aria-label': choices.title }, container: { className: styles['container'] } }}
    >
      <PaletteBody choices={choices} onClose={close} />
    </MuiDialog>
  );
}
