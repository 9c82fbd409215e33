import MuiDialog from '@mui/material/Dialog';
import { Check, Search } from 'lucide-react';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MuiRoot } from './mui-root';
import styles from './command-palette.module.css';
import { fuzzyMatch, type FuzzyMatch } from './fuzzy-match';
import { KeyCaps } from './key-caps';
import type { Command } from './command-registry';
import { usePaletteStore, type PaletteChoices } from './palette-store';

interface Found {
  readonly command: Command;
  readonly match: FuzzyMatch;
}

/** Scores of `fuzzyMatch` are at most 200: what matches is more important than how well. */
const IN_TITLE = 3000;
const IN_KEYWORDS = 2000;
const BY_SERVER = 1000;
const LAST = -1000;
/** Letters that neither begin words nor follow each other match nearly every long title. */
const LEAST_LETTERS_SCORE = 3;
const MOST_SHOWN = 50;

function rankOf(command: Command, query: string): FuzzyMatch | undefined {
  const match = fuzzyMatch(command.title, query);
  const ranked = (by: number, one: FuzzyMatch, offsets = one.offsets): FuzzyMatch => ({ ...one, score: one.score + by, offsets });
  if (command.section === 'words') return ranked(LAST, { score: 0, offsets: [], words: true });
  if (match?.words === true) return ranked(IN_TITLE, match);
  const inKeywords = command.keywords === undefined ? undefined : fuzzyMatch(command.keywords, query);
  if (inKeywords?.words === true) return ranked(IN_KEYWORDS, inKeywords, []);
  if (command.found === true) return ranked(BY_SERVER, { score: 0, offsets: [], words: true });
  return match !== undefined && match.score >= LEAST_LETTERS_SCORE ? match : undefined;
}

/**
 * Matching commands, best first: words in titles, words in keywords, what the server found, and only without any of these titles with the
 * letters in order. Without a query, cursor commands come last, as they are used by keys.
 */
export function findCommands(commands: readonly Command[], query: string): readonly Found[] {
  const offered = commands.filter(({ run, disabled }) => run !== undefined && disabled !== true);
  if (query.trim() !== '') {
    const ranked = offered.flatMap((command): Found[] => {
      const match = rankOf(command, query);
      return match === undefined ? [] : [{ command, match }];
    });
    const byWords = ranked.some(({ command, match }) => match.words && command.section !== 'words');
    return ranked
      .filter(({ match }) => match.words || !byWords)
      .sort((a, b) => b.match.score - a.match.score)
      .slice(0, MOST_SHOWN);
  }
  const found = offered.map((command): Found => ({ command, match: { score: 0, offsets: [], words: true } }));
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
        {command.note !== undefined && <small>{command.note}</small>}
      </span>
      {command.detail !== undefined && <span className={styles['detail']}>{command.detail}</span>}
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

export interface PaletteFindings {
  readonly commands: readonly Command[];
  /** The server is still looking. */
  readonly searching: boolean;
}

/** A hook that finds more than commands for a query, only if `everything` is wanted. */
export type UseFindings = (query: string, everything: boolean) => PaletteFindings;

const NO_FINDINGS: PaletteFindings = { commands: [], searching: false };
const useNoFindings: UseFindings = () => NO_FINDINGS;

interface PaletteBodyProps {
  readonly choices: PaletteChoices;
  readonly useFindings: UseFindings;
  readonly onClose: () => void;
}

function PaletteBody({ choices, useFindings, onClose }: PaletteBodyProps): ReactNode {
  const { t } = useTranslation('keys');
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const findings = useFindings(query, choices.everything === true);
  const found = findCommands([...choices.commands, ...findings.commands], query);
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
        {found.length > 0 ? t('palette.found', { count: found.length }) : t(findings.searching ? 'palette.searching' : 'palette.none')}
      </p>
    </div>
  );
}

/** `Ctrl K`: finds commands, pages and whatever `useFindings` adds. The hook is the same as long as the palette is shown. */
export function CommandPalette({ useFindings = useNoFindings }: { readonly useFindings?: UseFindings }): ReactNode {
  const choices = usePaletteStore((state) => state.palette);
  const close = usePaletteStore((state) => state.close);
  if (choices === null) return null;
  return (
    <MuiRoot>
      <MuiDialog
        open
        onClose={close}
        transitionDuration={0}
        slotProps={{ paper: { className: styles['paper'], 'aria-label': choices.title }, container: { className: styles['container'] } }}
      >
        <PaletteBody choices={choices} useFindings={useFindings} onClose={close} />
      </MuiDialog>
    </MuiRoot>
  );
}
