/** A day: typed in the reader's form, or chosen in a calendar. */
import { Calendar } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exampleDay, formatDay, parseDay } from './day-text';
import { TextInput } from './field';
import { IconButton } from './icon-button';
import { lazyPart } from './lazy-part';

const CalendarPopup = lazyPart(async () => (await import('./calendar-popup')).CalendarPopup);

export interface DateInputProps {
  readonly label: string;
  /** `2026-01-31`, empty, or what was typed and is no day. */
  readonly value: string;
  /** Called with an ISO day, with an empty text, or with what was typed while it is no day. */
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  /** Wrong for a reason that is said elsewhere. */
  readonly invalid?: boolean;
  readonly disabled?: boolean;
}

export function DateInput({ label, value, onChange, error, invalid = false, disabled = false }: DateInputProps) {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(formatDay(value, language));
  const [known, setKnown] = useState(value);
  const [left, setLeft] = useState(true);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const read = (typed: string) => (typed.trim() === '' ? '' : (parseDay(typed, language) ?? typed));
  if (value !== known) {
    setKnown(value);
    // What is being typed stays, as long as it means the same day.
    if (read(text) !== value) setText(formatDay(value, language));
  }
  const example = exampleDay(language);
  const unreadable = left && text.trim() !== '' && parseDay(text, language) === undefined;
  return (
    <>
      <TextInput
        inputRef={input}
        label={label}
        value={text}
        placeholder={example}
        autoComplete="off"
        disabled={disabled}
        error={unreadable ? t('date.unreadable', { example }) : error}
        aria-invalid={unreadable || invalid || error !== undefined}
        onChange={(typed) => {
          setText(typed);
          setLeft(false);
          onChange(read(typed));
        }}
        onBlur={() => {
          setLeft(true);
          const day = parseDay(text, language);
          if (day !== undefined) setText(formatDay(day, language));
        }}
        end={
          <IconButton
            small
            label={t('date.choose')}
            icon={Calendar}
            disabled={disabled}
            aria-haspopup="dialog"
            aria-expanded={anchor !== null}
            onClick={(event) => setAnchor(event.currentTarget)}
          />
        }
      />
      {anchor !== null && (
        <CalendarPopup
          anchor={anchor}
          label={t('date.calendar', { label })}
          day={parseDay(text, language)}
          onClose={() => setAnchor(null)}
          onPick={(day) => {
            setText(formatDay(day, language));
            onChange(day);
            setAnchor(null);
          }}
        />
      )}
    </>
  );
}
