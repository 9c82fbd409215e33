/**
 * The bar above the content of a screen. On narrow windows it has one line for what is used most; `ToolbarMore` marks the rest, which a button
 * shows below it. Nothing in it is reached by scrolling sideways.
 */
import { Ellipsis } from 'lucide-react';
import { createContext, use, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button';
import { useNarrow } from './media-query';
import styles from './page.module.css';

interface MoreRow {
  /** Where the rest is drawn; null until it is mounted. */
  readonly row: HTMLElement | null;
  /** Announces a part of the rest; returns how to take it back. */
  readonly announce: () => () => void;
}

const MoreRowContext = createContext<MoreRow | undefined>(undefined);

/** Below the whole bar, beside what the page adds to the toolbar; null until it is mounted. */
export const BelowToolbarContext = createContext<HTMLElement | null>(null);

/** Location on the left, state and actions on the right. */
export function Toolbar({ children, end }: { readonly children?: ReactNode; readonly end?: ReactNode }) {
  const { t } = useTranslation('common');
  const id = useId();
  const narrow = useNarrow();
  const below = use(BelowToolbarContext);
  const [row, setRow] = useState<HTMLElement | null>(null);
  const [parts, setParts] = useState(0);
  const [open, setOpen] = useState(false);
  const more = useMemo<MoreRow>(
    () => ({
      row,
      announce: () => {
        setParts((count) => count + 1);
        return () => setParts((count) => count - 1);
      },
    }),
    [row],
  );
  return (
    <MoreRowContext value={narrow ? more : undefined}>
      <div className={styles['toolbar']} role="toolbar">
        <div className={styles['toolbar-start']}>{children}</div>
        <div className={styles['toolbar-end']}>
          {end}
          {narrow && parts > 0 && (
            <div className={styles['toolbar-toggle']}>
              <IconButton
                label={t(open ? 'toolbarLess' : 'toolbarMore')}
                icon={Ellipsis}
                aria-expanded={open}
                aria-controls={id}
                onClick={() => setOpen(!open)}
              />
            </div>
          )}
        </div>
      </div>
      {narrow &&
        below !== null &&
        createPortal(
          <div
            ref={setRow}
            id={id}
            role="group"
            aria-label={t('toolbarMore')}
            className={styles['toolbar-more']}
            hidden={!open || parts === 0}
          />,
          below,
        )}
    </MoreRowContext>
  );
}

/** A part of a toolbar that narrow windows show only on request. It stays mounted there: its keys and dialogs keep working. */
export function ToolbarMore({ children }: { readonly children: ReactNode }): ReactNode {
  const more = use(MoreRowContext);
  const announce = more?.announce;
  useEffect(() => announce?.(), [announce]);
  if (more === undefined) return children;
  return more.row === null ? null : createPortal(children, more.row);
}
