import Popover from '@mui/material/Popover';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import styles from './calendar.module.css';
import { moveDay, today, weeksOfMonth } from './day-text';
import { readerLocale } from './format';
import { IconButton } from './icon-button';
import { MuiRoot } from './mui-root';

export interface CalendarPopupProps {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly day: string | undefined;
  readonly onPick: (day: string) => void;
  readonly onClose: () => void;
}

const MOVES: Readonly<Record<string, { days?: number; months?: number }>> = {
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: { days: -7 },
  ArrowDown: { days: 7 },
  PageUp: { months: -1 },
  PageDown: { months: 1 },
  'Shift+PageUp': { months: -12 },
  'Shift+PageDown': { months: 12 },
};

/** Where a key leads; undefined for keys that the calendar does not have. */
function dayAfterKey(day: string, week: readonly string[], key: string): string | undefined {
  if (key === 'Home') return week[0];
  if (key === 'End') return week.at(-1);
  const move = MOVES[key];
  return move === undefined ? undefined : moveDay(day, move);
}

interface MonthProps {
  /** The day with the focus: its month is shown. */
  readonly day: string;
  readonly chosen: string | undefined;
  readonly onMove: (day: string) => void;
  readonly onPick: (day: string) => void;
}

function Month({ day, chosen, onMove, onPick }: MonthProps) {
  const { i18n } = useTranslation();
  const locale = readerLocale(i18n.language);
  const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const weeks = weeksOfMonth(day, i18n.language);
  const focused = useRef<HTMLButtonElement>(null);
  // When it opens, and after its keys; not after the buttons above it, which keep the focus.
  const takesFocus = useRef(true);
  useEffect(() => {
    if (takesFocus.current) focused.current?.focus();
    takesFocus.current = false;
  }, [day]);
  const names = { short: utc({ weekday: 'short' }), long: utc({ weekday: 'long' }), day: utc({ dateStyle: 'full' }) };
  const onKeyDown = (event: KeyboardEvent) => {
    const week = weeks.find((one) => one.includes(day)) ?? [];
    const next = dayAfterKey(day, week, `${event.shiftKey ? 'Shift+' : ''}${event.key}`);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    takesFocus.current = true;
    onMove(next);
  };
  return (
    <table className={styles['month']} role="grid" onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weeks[0]?.map((one) => (
            <th key={one} scope="col" abbr={names.long.format(new Date(one))}>
              {names.short.format(new Date(one))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((one) => (
              <td key={one} aria-selected={one === chosen}>
                <button
                  type="button"
                  ref={one === day ? focused : undefined}
                  tabIndex={one === day ? 0 : -1}
                  aria-label={names.day.format(new Date(one))}
                  aria-current={one === today() ? 'date' : undefined}
                  data-outside={one.slice(0, 7) !== day.slice(0, 7) || undefined}
                  onClick={() => onPick(one)}
                >
                  {Number(one.slice(8))}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A month to choose a day from: arrows move by days and weeks, Page Up and Down by months, with Shift by years. */
export function CalendarPopup({ anchor, label, day, onPick, onClose }: CalendarPopupProps) {
  const { t, i18n } = useTranslation('common');
  const [at, setAt] = useState(day ?? today());
  const title = new Intl.DateTimeFormat(readerLocale(i18n.language), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const stepButton = (name: string, icon: typeof ChevronLeft, months: number) => (
    <IconButton small label={t(`date.${name}`)} icon={icon} onClick={() => setAt(moveDay(at, { months }))} />
  );
  return (
    <MuiRoot>
      <Popover
        open
        anchorEl={anchor}
        onClose={onClose}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': label, className: styles['calendar'] ?? '' } }}
      >
        <div className={styles['head']}>
          {stepButton('previousYear', ChevronsLeft, -12)}
          {stepButton('previousMonth', ChevronLeft, -1)}
          <strong aria-live="polite">{title.format(new Date(at))}</strong>
          {stepButton('nextMonth', ChevronRight, 1)}
          {stepButton('nextYear', ChevronsRight, 12)}
        </div>
        <Month day={at} chosen={day} onMove={setAt} onPick={onPick} />
        <Button small kind="quiet" onClick={() => onPick(today())}>
          {t('date.today')}
        </Button>
      </Popover>
    </MuiRoot>
  );
}
