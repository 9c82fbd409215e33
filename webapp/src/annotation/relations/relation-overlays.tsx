/**
 * Overlays of the text for relations and fragments: relation toolbar, name picker, the line being drawn, the note about an unfinished task.
 */
import type { CSSProperties, MouseEvent, ReactNode, RefObject } from 'react';
import { ArrowLeftRight, Pencil, Trash2, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import '@/annotation/labels/label-drawer.css';
import { AnchoredPopover } from '@/annotation/surface/popover';
import type { Anchor } from '@/annotation/surface/popover';
import { RelationNamePicker } from './relation-name-picker';
import type { RelationProps, SpanRelation } from './relations';
import type { RubberBand } from './use-relation-drag';
import type { RelationsState } from './use-relations-state';
import type { FragmentTask } from './use-fragment-task';
import type { OpenPickerState } from '@/annotation/surface/surface-types';

interface FloatContainer {
  readonly root: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}

const preventFocusLoss = (event: MouseEvent): void => event.preventDefault();

interface RelationBarProps extends RelationProps {
  readonly relation: SpanRelation;
  readonly onNaming: (id: string) => void;
}

/** Actions of the highlighted relation. It takes no focus, as the keyboard has keys for all of them. */
export function RelationToolbar({ relation, styleOf, onNaming, onReverse, onUnlink, onFocus }: RelationBarProps): ReactNode {
  const { t } = useTranslation('relations');
  const { id, name } = relation;
  const action = (spanText: string, key: string, Icon: LucideIcon, act: ((id: string) => void) | undefined): ReactNode =>
    act && (
      <button type="button" className="ann-icon-button" aria-label={spanText} title={`${spanText} (${key})`} onClick={() => act(id)}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
      </button>
    );
  const unlink =
    onUnlink &&
    ((one: string) => {
      onFocus(undefined);
      onUnlink(one);
    });
  return (
    <div className="ann-bar" role="toolbar" aria-label={t('actionsOf', { name })} onMouseDown={preventFocusLoss}>
      <span className="ann-bar-label">
        <span className="ann-swatch" style={{ '--ann-line': styleOf(name).line } as CSSProperties} />
        <span dir="auto">{name}</span>
      </span>
      {onReverse && action(t('rename'), 'Enter', Pencil, onNaming)}
      {action(t('turn'), 'X', ArrowLeftRight, onReverse)}
      {action(t('unlink'), 'Del', Trash2, unlink)}
    </div>
  );
}

interface RelationFloatsProps extends FloatContainer {
  readonly links: RelationsState;
  readonly relations: RelationProps | undefined;
  /** The label picker is open: the toolbar is hidden. */
  readonly picker: OpenPickerState | undefined;
}

export function RelationOverlays({ links, relations, picker, root, scroller }: RelationFloatsProps): ReactNode {
  if (relations === undefined) return null;
  const { naming, focused } = links;
  const back = (): void => root.current?.focus({ preventScroll: true });
  if (naming !== undefined) {
    const target: Anchor =
      naming.kind === 'new' ? { kind: 'span', id: naming.target } : { kind: 'relation', id: naming.id, from: links.focusedSpan };
    const giveUp = (): void => {
      links.cancel();
      back();
    };
    return (
      <AnchoredPopover
        key={naming.kind === 'new' ? naming.target : naming.id}
        target={target}
        root={root}
        scroller={scroller}
        onLeave={giveUp}
      >
        <RelationNamePicker
          names={relations.names}
          current={naming.kind === 'rename' ? focused?.name : undefined}
          onPick={(name) => {
            links.named(name);
            back();
          }}
          onClose={giveUp}
        />
      </AnchoredPopover>
    );
  }
  if (focused === undefined || picker !== undefined || links.from !== undefined) return null;
  const key = `${focused.id} ${focused.source} ${focused.name} ${links.focusedSpan ?? ''}`;
  return (
    <AnchoredPopover key={key} above target={{ kind: 'relation', id: focused.id, from: links.focusedSpan }} root={root} scroller={scroller}>
      <RelationToolbar relation={focused} {...relations} onNaming={links.rename} />
    </AnchoredPopover>
  );
}

/** The line from the handle to the pointer. */
export function RubberBandLine({ rubber }: { readonly rubber: RubberBand | undefined }): ReactNode {
  if (rubber === undefined) return null;
  const { fromX, fromY, x, y } = rubber;
  const bend = Math.min(40, Math.abs(x - fromX) / 3 + 12);
  const path = `M${String(fromX)} ${String(fromY)}C${String(fromX)} ${String(fromY - bend)} ${String(x)} ${String(y - bend)} ${String(x)} ${String(y)}`;
  return (
    <svg className="ann-rubber" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

interface TaskNoteProps {
  readonly links: RelationsState;
  readonly fragments: FragmentTask | undefined;
  readonly spanText: string;
}

/** Describes the unfinished task above the text, with a button to cancel it. */
export function UnfinishedTaskNote({ links, fragments, spanText }: TaskNoteProps): ReactNode {
  const { t } = useTranslation('relations');
  const task = links.from !== undefined ? 'link' : fragments?.id !== undefined ? 'piece' : undefined;
  if (task === undefined) return null;
  return (
    <div className="ann-task">
      <div onMouseDown={preventFocusLoss}>
        <span>{t(task === 'link' ? 'taskLink' : 'taskPiece', { text: spanText })}</span>
        <button
          type="button"
          className="ann-icon-button"
          aria-label={t('giveUp')}
          title={`${t('giveUp')} (Esc)`}
          onClick={() => {
            links.cancel();
            fragments?.cancel();
          }}
        >
          <X size={14} strokeWidth={1.75} aria-hidden />
        </button>
      </div>
    </div>
  );
}
