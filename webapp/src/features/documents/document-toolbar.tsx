import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Download, Ellipsis, List, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { PresenceBar } from './presence-bar';
import { SaveStatus } from '@/blocks/labelling/save-status';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useCommands, type Command } from '@/ui/command-registry';
import { useNarrow } from '@/ui/media-query';
import { Menu } from '@/ui/menu';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import styles from './documents.module.css';

export interface ListPosition {
  /** From 0; undefined for a document opened by identifier. */
  readonly index: number | undefined;
  readonly total: number;
  /** The position is among segments of the explorer, not among documents. */
  readonly explored?: boolean;
}

interface DocumentToolbarProps {
  readonly position: ListPosition;
  readonly listPath: string;
  readonly labelling: LabellingEditor;
  readonly documentIdentifier?: string | undefined;
  readonly writable: boolean;
  /** Undo, redo and history buttons. */
  readonly history: ReactNode;
  /** Validating the document, and the next one to do. */
  readonly review: ReactNode;
  readonly comments: ReactNode;
  readonly onMove: (index: number) => void;
  readonly onDownload: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
  /** Additional navigation. */
  readonly children?: ReactNode;
}

const MOVE_COMMANDS = ['first', 'previous', 'next', 'last'];

/** Commands of the toolbar for the keyboard and the palette; `Alt` left and right: previous and next document. */
function useToolbarCommands({ position, onMove, onDownload, onDelete, listPath }: DocumentToolbarProps): void {
  const { t } = useTranslation(['keys', 'documents']);
  const navigate = useNavigate();
  const { index, total, explored = false } = position;
  const titleOf = (id: string) => (explored && MOVE_COMMANDS.includes(id) ? t(`documents:hitMove.${id}`) : t(`document.${id}`));
  useCommands(() => {
    const toCommand = (id: string, run: (() => void) | undefined, keys: readonly string[] = []): Command[] =>
      run === undefined ? [] : [{ id: `document.${id}`, section: 'screen', title: titleOf(id), keys, run }];
    const go = (to: number) => {
      if (to >= 0 && to < total && to !== index) onMove(to);
    };
    const moves =
      index === undefined
        ? []
        : [
            ...toCommand('next', () => go(index + 1), ['Alt+ArrowRight']),
            ...toCommand('previous', () => go(index - 1), ['Alt+ArrowLeft']),
            ...toCommand('first', () => go(0)),
            ...toCommand('last', () => go(total - 1)),
          ];
    return [
      ...moves,
      ...toCommand('list', () => void navigate(listPath)),
      ...toCommand('download', onDownload),
      ...toCommand('delete', onDelete),
    ];
  });
}

/** S-007: previous stops at the first, next at the last. */
function PreviousNextButtons({
  place,
  onMove,
}: {
  readonly place: ListPosition & { readonly index: number };
  readonly onMove: (index: number) => void;
}): ReactNode {
  const { t } = useTranslation('documents');
  const { index, total, explored = false } = place;
  const of = explored ? 'hitMove' : 'move';
  const format = useFormat();
  const narrow = useNarrow();
  const words = { index: format.number(index + 1), total: format.number(total) };
  const atStart = index <= 0;
  const atEnd = index >= total - 1;
  return (
    <nav className={styles['moves']} aria-label={t(`${of}.label`)}>
      <ToolbarMore>
        <IconButton label={t(`${of}.first`)} icon={ChevronsLeft} disabled={atStart} onClick={() => onMove(0)} />
      </ToolbarMore>
      <IconButton label={t(`${of}.previous`)} icon={ChevronLeft} keyCap="Alt ←" disabled={atStart} onClick={() => onMove(index - 1)} />
      <ToolbarMore>
        <span className={styles['place']}>
          {narrow && <span aria-hidden>{`${words.index} / ${words.total}`}</span>}
          <span {...(narrow && { className: 'visually-hidden' })}>{t(`${of}.place`, words)}</span>
        </span>
      </ToolbarMore>
      <IconButton label={t(`${of}.next`)} icon={ChevronRight} keyCap="Alt →" disabled={atEnd} onClick={() => onMove(index + 1)} />
      <ToolbarMore>
        <IconButton label={t(`${of}.last`)} icon={ChevronsRight} disabled={atEnd} onClick={() => onMove(total - 1)} />
      </ToolbarMore>
    </nav>
  );
}

/** What is done seldom: in a menu, on narrow windows beside the other tools, which are hidden as well. */
function DocumentMenu({ onDownload, onDelete }: Pick<DocumentToolbarProps, 'onDownload' | 'onDelete'>): ReactNode {
  const { t } = useTranslation('documents');
  const narrow = useNarrow();
  const entries = [
    ...(onDownload === undefined ? [] : [{ key: 'download', label: t('download'), icon: Download, onSelect: onDownload }]),
    ...(onDelete === undefined ? [] : [{ key: 'delete', label: t('deleteOne'), icon: Trash2, danger: true, onSelect: onDelete }]),
  ];
  if (narrow)
    return entries.map(({ key, label, icon, onSelect }) => (
      <Button key={key} kind={key === 'delete' ? 'danger-text' : 'quiet'} icon={icon} onClick={onSelect}>
        {label}
      </Button>
    ));
  if (entries.length === 0) return null;
  return (
    <Menu
      label={t('more')}
      align="right"
      entries={entries}
      trigger={(props) => <IconButton label={t('more')} icon={Ellipsis} {...props} />}
    />
  );
}

export function DocumentToolbar(props: DocumentToolbarProps): ReactNode {
  const { position, listPath, labelling, documentIdentifier, writable, history, onMove, onDownload, onDelete, children } = props;
  const { t } = useTranslation('documents');
  useToolbarCommands(props);
  return (
    <Toolbar
      end={
        <>
          {documentIdentifier !== undefined && <PresenceBar project={labelling.project} document={documentIdentifier} />}
          {writable && <SaveStatus labelling={labelling} />}
          {history}
          <ToolbarMore>
            {props.comments}
            {props.review}
            <DocumentMenu {...{ onDownload, onDelete }} />
          </ToolbarMore>
        </>
      }
    >
      <ToolbarMore>
        <ButtonLink kind="quiet" small icon={List} to={listPath}>
          {t(position.explored === true ? 'backToSegments' : 'backToList')}
        </ButtonLink>
      </ToolbarMore>
      {position.index !== undefined && position.total > 0 && (
        <PreviousNextButtons place={{ ...position, index: position.index }} onMove={onMove} />
      )}
      {children}
    </Toolbar>
  );
}
