/**
 * The frame of a screen inside the shell: left filter drawer, toolbar, scrolling page, right drawer. A screen passes the parts it has; the
 * open state of drawers is stored per user and screen. On narrow windows the drawers are sheets, which start closed.
 */
import { ListFilter, PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDrawer } from '@/state/layout-store';
import { useSearchStore, type SearchBoxContent } from '@/state/search-store';
import { useCan } from '@/state/session-store';
import { Button } from './button';
import { IconButton } from './icon-button';
import { useCommands, type Command } from './command-registry';
import { useMediaQuery, useNarrow } from './media-query';
import { Sheet } from './sheet';
import { BelowToolbarContext } from './toolbar';
import styles from './page.module.css';

export interface PageProps {
  /** Screen name under which the state of drawers is stored. */
  readonly screen: string;
  readonly children: ReactNode;
  /** Left drawer; absent when the view has no facets, and hidden from users who may not search (W-010). */
  readonly filters?: ReactNode;
  /** The filters are hidden behind this view: shows them with their results (W-013). */
  readonly onShowFilters?: (() => void) | undefined;
  readonly filtersTitle?: string;
  /** Tabs instead of the title of the left drawer; `filters` is the panel of the one shown. */
  readonly filtersTabs?: ReactNode;
  /** Number of active filters; offers `Clear n`. */
  readonly activeFilters?: number;
  readonly onClearFilters?: () => void;
  /** False: the filters are closed until the user opens them; by default open on wide screens. */
  readonly filtersOpen?: boolean;
  /** C-012: two tabs need 358 px. */
  readonly filtersWide?: boolean;
  /** Right drawer, 400 px (C-013). */
  readonly drawer?: ReactNode;
  readonly drawerTitle?: string;
  /** False: closed until the user opens it; by default open on wide screens. */
  readonly drawerOpen?: boolean;
  /** What the drawer is about when the user asked for it (a row, the history): a narrow window shows it at once, as a sheet. */
  readonly drawerSubject?: string | undefined;
  /** The sheet of `drawerSubject` was closed. */
  readonly onCloseDrawer?: (() => void) | undefined;
  /** Content of the 44 px strip when the right drawer is closed. */
  readonly drawerStrip?: ReactNode;
  /** 44 px bar under the app bar. */
  readonly toolbar?: ReactNode;
  /** White background instead of the canvas: documents, results. */
  readonly plain?: boolean;
  /** No padding around the content. */
  readonly flush?: boolean;
}

/** Heading line of a management page: h1, count, actions. */
export function PageHead({
  title,
  aside,
  actions,
}: {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={styles['head']}>
      <h1>{title}</h1>
      {aside}
      <div className={styles['head-actions']}>{actions}</div>
    </div>
  );
}

/** Configures the search box of the app bar for the screen (W-003). Null for none; users who may not search have none. */
export function useSearchBox(asked: SearchBoxContent | null): void {
  const slot = useCan('useSearch') ? asked : null;
  const setSlot = useSearchStore((state) => state.setSlot);
  const { placeholder, query } = slot ?? { placeholder: '', query: '' };
  const onSearch = slot?.onSearch;
  const { position, reason } = slot?.queryError ?? {};
  useEffect(() => {
    const mistake = position === undefined || reason === undefined ? undefined : { position, reason };
    setSlot(onSearch === undefined ? null : { placeholder, query, onSearch, queryError: mistake });
  }, [setSlot, placeholder, query, onSearch, position, reason]);
  useEffect(() => () => setSlot(null), [setSlot]);
}

/** `[` and `]` open and close the drawers outside text fields. */
function useDrawerKeys({ drawer }: PageProps, left: (() => void) | undefined, right: () => void): void {
  const { t } = useTranslation('keys');
  useCommands(() => {
    const drawerCommand = (side: string, key: string, run: () => void): Command => ({
      id: `panels.${side}`,
      section: 'panels',
      title: t(`${side}Panel`),
      keys: [key],
      run,
    });
    return [
      ...(left === undefined ? [] : [drawerCommand('left', '[', left)]),
      ...(drawer === undefined ? [] : [drawerCommand('right', ']', right)]),
    ];
  });
}

/** Resets all filters; nothing without any. */
function ClearFiltersButton({ props }: { readonly props: PageProps }) {
  const { t } = useTranslation('common');
  const count = props.activeFilters ?? 0;
  if (count === 0 || props.onClearFilters === undefined) return null;
  return (
    <Button kind="quiet" small onClick={props.onClearFilters}>
      {t('filters.clear', { count })}
    </Button>
  );
}

function FilterDrawer({ props, onClose }: { readonly props: PageProps; readonly onClose: () => void }) {
  const { t } = useTranslation('common');
  const title = props.filtersTitle ?? t('filters.title');
  return (
    <aside className={styles['left']} data-wide={props.filtersWide || undefined} aria-label={title}>
      <div className={styles['drawer-head']}>
        {props.filtersTabs === undefined ? (
          <>
            <ListFilter size={16} aria-hidden />
            <h2>{title}</h2>
          </>
        ) : (
          <div className={styles['drawer-tabs']}>{props.filtersTabs}</div>
        )}
        <ClearFiltersButton props={props} />
        <IconButton label={t('filters.hide')} icon={PanelLeftClose} keyCap="[" onClick={onClose} />
      </div>
      <div className={styles['drawer-body']}>{props.filters}</div>
    </aside>
  );
}

function RightDrawer({
  props,
  open,
  onToggle,
}: {
  readonly props: PageProps;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}) {
  const { t } = useTranslation('common');
  const title = props.drawerTitle ?? t('drawer.title');
  if (props.drawer === undefined) return null;
  if (!open) {
    return (
      <aside className={styles['strip']} aria-label={title}>
        <IconButton label={t('drawer.show')} icon={PanelRightOpen} keyCap="]" onClick={() => onToggle(true)} />
        {props.drawerStrip}
      </aside>
    );
  }
  return (
    <aside className={styles['right']} aria-label={title}>
      <div className={styles['drawer-head']}>
        <h2>{title}</h2>
        <IconButton label={t('drawer.hide')} icon={PanelRightClose} keyCap="]" onClick={() => onToggle(false)} />
      </div>
      <div className={styles['drawer-body']}>{props.drawer}</div>
    </aside>
  );
}

/** Filters require the search permission: without it there are none, neither here nor behind another view. */
function usePermittedFilters({ filters, onShowFilters }: PageProps): Pick<PageProps, 'filters' | 'onShowFilters'> {
  return useCan('useSearch') ? { filters, onShowFilters } : {};
}

/** The drawers of a wide window, side by side with the page; their state is the user's. */
function useDockedDrawers({ screen, filtersOpen, drawerOpen }: PageProps) {
  const wide = useMediaQuery('(min-width: 1280px)');
  const [left, setLeft] = useDrawer(screen, 'filters', wide && filtersOpen !== false);
  const [right, setRight] = useDrawer(screen, 'labels', wide && drawerOpen !== false);
  return { left, setLeft, right, setRight };
}

/** Which sheet lies over the page: each visit starts with none that nobody asked for, whatever is stored for wide windows. */
function useSheets({ drawerSubject, onCloseDrawer }: PageProps) {
  const asked = drawerSubject === undefined ? null : 'drawer';
  const [open, setOpen] = useState<'filters' | 'drawer' | null>(asked);
  const [subject, setSubject] = useState(drawerSubject);
  if (subject !== drawerSubject) {
    setSubject(drawerSubject);
    setOpen(asked);
  }
  return {
    left: open === 'filters',
    setLeft: (next: boolean) => setOpen(next ? 'filters' : null),
    right: open === 'drawer',
    setRight: (next: boolean) => {
      setOpen(next ? 'drawer' : null);
      if (!next) onCloseDrawer?.();
    },
  };
}

/** Opens the filters; with their number, as the sheet hides them. */
function FiltersButton({ props, narrow, onShow }: { readonly props: PageProps; readonly narrow: boolean; readonly onShow: () => void }) {
  const { t } = useTranslation('common');
  const count = props.activeFilters ?? 0;
  if (!narrow) return <IconButton label={t('filters.show')} icon={PanelLeftOpen} keyCap="[" onClick={onShow} />;
  return (
    <Button icon={ListFilter} aria-haspopup="dialog" onClick={onShow}>
      <span className="visually-hidden">{t('filters.show')}</span> {count > 0 && count}
    </Button>
  );
}

interface NarrowPageProps {
  readonly props: PageProps;
  readonly filters: ReactNode;
  readonly sheets: ReturnType<typeof useSheets>;
}

function DrawerSheets({ props, filters, sheets }: NarrowPageProps) {
  const { t } = useTranslation('common');
  return (
    <>
      {filters !== undefined && (
        <Sheet
          open={sheets.left}
          title={props.filtersTitle ?? t('filters.title')}
          titleAside={<ClearFiltersButton props={props} />}
          onClose={() => sheets.setLeft(false)}
        >
          {props.filtersTabs}
          {filters}
        </Sheet>
      )}
      {props.drawer !== undefined && (
        <Sheet open={sheets.right} title={props.drawerTitle ?? t('drawer.title')} onClose={() => sheets.setRight(false)}>
          {props.drawer}
        </Sheet>
      )}
    </>
  );
}

/** A drawer about something chosen on the page opens by choosing it; the others by a button. */
const hasOwnButton = ({ drawer, drawerSubject }: PageProps) => drawer !== undefined && drawerSubject === undefined;

interface ToolbarRowProps {
  readonly props: PageProps;
  readonly narrow: boolean;
  /** Absent where there are no filters to show. */
  readonly onShowFilters: (() => void) | undefined;
  readonly onShowDrawer: (() => void) | undefined;
}

function ToolbarRow({ props, narrow, onShowFilters, onShowDrawer }: ToolbarRowProps) {
  const { t } = useTranslation('common');
  const [below, setBelow] = useState<HTMLElement | null>(null);
  if (props.toolbar === undefined && onShowFilters === undefined && onShowDrawer === undefined) return null;
  return (
    <section className={styles['toolbar-row']} aria-label={t('toolbar')}>
      {onShowFilters !== undefined && <FiltersButton props={props} narrow={narrow} onShow={onShowFilters} />}
      <div className={styles['toolbar-place']}>
        <BelowToolbarContext value={below}>{props.toolbar}</BelowToolbarContext>
      </div>
      {onShowDrawer !== undefined && (
        <Button aria-haspopup="dialog" onClick={onShowDrawer}>
          {props.drawerTitle ?? t('drawer.title')}
        </Button>
      )}
      {narrow && <div ref={setBelow} className={styles['below-toolbar']} />}
    </section>
  );
}

/** The toolbar above the content, which alone scrolls. */
function PageColumn({ props, ...bar }: ToolbarRowProps) {
  const { children, plain = false, flush = false } = props;
  return (
    <div className={styles['column']} data-plain={plain || undefined}>
      <ToolbarRow props={props} {...bar} />
      <main className={styles['main']} id="main" data-scroll tabIndex={-1}>
        <div className={flush ? styles['flush'] : styles['content']}>{children}</div>
      </main>
    </div>
  );
}

export function Page(props: PageProps) {
  const { filters, onShowFilters } = usePermittedFilters(props);
  const narrow = useNarrow();
  const docked = useDockedDrawers(props);
  const sheets = useSheets(props);
  const { left, setLeft, right, setRight } = narrow ? sheets : docked;
  const turnLeft = filters === undefined ? onShowFilters : () => setLeft(!left);
  useDrawerKeys(props, turnLeft, () => setRight(!right));
  const leftDocked = filters !== undefined && left && !narrow;
  return (
    <div className={styles['frame']}>
      {leftDocked && <FilterDrawer props={props} onClose={() => setLeft(false)} />}
      <PageColumn
        props={props}
        narrow={narrow}
        onShowFilters={leftDocked ? undefined : turnLeft}
        onShowDrawer={narrow && hasOwnButton(props) ? () => setRight(true) : undefined}
      />
      {narrow ? (
        <DrawerSheets props={props} filters={filters} sheets={sheets} />
      ) : (
        <RightDrawer props={props} open={right} onToggle={setRight} />
      )}
    </div>
  );
}
