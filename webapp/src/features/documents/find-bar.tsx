import { ArrowDown, ArrowUp, CaseSensitive, Tags, WholeWord, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { TextInput } from '@/ui/field';
import styles from './find-bar.module.css';
import type { TextToLabel } from './label-occurrences-dialog';
import type { Find } from './use-find';

interface FindBarProps {
  readonly find: Find;
  /** Labels all places of the words; absent: not permitted, or no label. */
  readonly onLabelAll: ((wanted: TextToLabel) => void) | undefined;
}

/** `3 of 128`, or that nothing is found. */
function FindCount({ find: { words, index, total, late } }: Pick<FindBarProps, 'find'>): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const blank = words.trim() === '';
  const place = { index: format.number(index + 1), total: format.number(total) };
  const text = blank || late ? '' : total === 0 ? t('find.none') : t('find.place', place);
  return (
    <span role="status" className={styles['count']} data-none={(!blank && !late && total === 0) || undefined}>
      {text}
    </span>
  );
}

/** Words to find in the open document: Enter goes on, Shift Enter goes back, Escape returns to the text. */
export function FindBar({ find, onLabelAll }: FindBarProps): ReactNode {
  const { t } = useTranslation('documents');
  const input = useRef<HTMLInputElement>(null);
  const { open, requests, words, total, exact, wholeWords } = find;
  useEffect(() => {
    if (!open) return;
    // Chromium selects a field without focusing it.
    input.current?.focus();
    input.current?.select();
  }, [open, requests]);
  if (!open) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') find.close();
    else if (event.key === 'Enter') find.move(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="search" aria-label={t('find.label')} className={styles['bar']}>
      <div className={styles['words']}>
        <TextInput
          label={t('find.words')}
          hideLabel
          autoComplete="off"
          placeholder={t('find.words')}
          value={words}
          onChange={find.type}
          onKeyDown={onKeyDown}
          inputRef={input}
          end={<FindCount find={find} />}
        />
      </div>
      <IconButton
        label={t('find.exact')}
        icon={CaseSensitive}
        aria-pressed={exact}
        className={styles['toggle']}
        onClick={() => find.change({ exact: !exact })}
      />
      <IconButton
        label={t('find.wholeWords')}
        icon={WholeWord}
        aria-pressed={wholeWords}
        className={styles['toggle']}
        onClick={() => find.change({ wholeWords: !wholeWords })}
      />
      <IconButton label={t('find.previous')} icon={ArrowUp} keyCap="Shift Enter" disabled={total === 0} onClick={() => find.move(-1)} />
      <IconButton label={t('find.next')} icon={ArrowDown} keyCap="Enter" disabled={total === 0} onClick={() => find.move(1)} />
      {onLabelAll !== undefined && (
        <Button small icon={Tags} disabled={words.trim() === ''} onClick={() => onLabelAll({ words: words.trim(), exact })}>
          {t('find.labelAll')}
        </Button>
      )}
      <IconButton label={t('find.close')} icon={X} keyCap="Esc" onClick={find.close} />
    </div>
  );
}
