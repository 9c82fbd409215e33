/** Toolbar with the actions of the clicked span. It takes no focus, as the keyboard has keys for all of them. */
import type { MouseEvent, ReactNode } from 'react';
import { Ban, BetweenHorizontalStart, BookMarked, Check, CopyCheck, MessageSquare, Scissors, Spline, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import '@/annotation/labels/label-drawer.css';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import type { Span } from '@/annotation/model';
import { useAnnotationStrings } from '@/annotation/strings';

export interface SpanActions {
  readonly onRelabel: (id: string) => void;
  readonly onAccept?: ((id: string) => void) | undefined;
  readonly onReject?: ((id: string) => void) | undefined;
  readonly onRemove?: ((id: string) => void) | undefined;
  /** Copies the annotation to other occurrences of its text. */
  readonly onPropagate?: ((id: string) => void) | undefined;
  readonly onComment?: ((id: string) => void) | undefined;
  /** Opens the picker of terms: to add one, or in place of those that the annotation has. */
  readonly onTerm?: ((id: string, terms: 'link' | 'change') => void) | undefined;
  /** Starts a relation to another annotation. */
  readonly onLink?: ((id: string) => void) | undefined;
  /** Starts adding a fragment to the annotation; also allows removing one. */
  readonly onAddFragment?: ((id: string) => void) | undefined;
  readonly onDropFragment?: ((id: string) => void) | undefined;
}

const preventFocusLoss = (event: MouseEvent): void => event.preventDefault();

export function SpanToolbar({ span, ...actions }: SpanActions & { readonly span: Span }): ReactNode {
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const label = appearanceOf(appearance, span.label);
  const action = (name: string, Icon: LucideIcon, act: ((id: string) => void) | undefined, key?: string): ReactNode =>
    act && (
      <button
        type="button"
        className="ann-icon-button"
        aria-label={name}
        title={key === undefined ? name : `${name} (${key})`}
        onClick={() => act(span.id)}
      >
        <Icon size={14} strokeWidth={1.75} aria-hidden />
      </button>
    );
  return (
    <div className="ann-bar" role="toolbar" aria-label={strings.actionsOf(label.label)} onMouseDown={preventFocusLoss}>
      <button
        type="button"
        className="ann-bar-label"
        aria-label={`${strings.changeLabel}: ${label.label}`}
        title={`${strings.changeLabel} (Enter)`}
        onClick={() => actions.onRelabel(span.id)}
      >
        <LabelTag label={label} /> <span>{label.label}</span>
      </button>
      {(span.status === 'suggested' || span.status === 'rejected') && action(strings.accept, Check, actions.onAccept, 'Y')}
      {span.status !== 'rejected' && action(strings.reject, Ban, actions.onReject, 'N')}
      {span.status === 'confirmed' && action(strings.copyToAll, CopyCheck, actions.onPropagate)}
      {span.status !== 'rejected' && action(strings.link, Spline, actions.onLink, 'L')}
      {span.status !== 'rejected' && action(strings.addFragment, BetweenHorizontalStart, actions.onAddFragment, 'A')}
      {span.fragments !== undefined && action(strings.dropFragment, Scissors, actions.onDropFragment, 'Shift A')}
      <TermButtons span={span} onTerm={actions.onTerm} />
      {action(strings.comment, MessageSquare, actions.onComment)}
      {action(strings.remove, Trash2, actions.onRemove, 'Del')}
    </div>
  );
}

/** The terms of the annotation, to choose another one; and to add one. */
function TermButtons({ span, onTerm }: Pick<SpanActions, 'onTerm'> & { readonly span: Span }): ReactNode {
  const strings = useAnnotationStrings();
  const { terms } = span;
  const names = terms?.map(({ name }) => name).join(', ') ?? '';
  return (
    <>
      {names !== '' && onTerm === undefined && <span className="ann-bar-terms">{names}</span>}
      {names !== '' && onTerm !== undefined && (
        <button
          type="button"
          className="ann-bar-terms"
          aria-label={`${strings.changeTerm}: ${names}`}
          title={`${strings.changeTerm} (Shift E): ${names}`}
          onClick={() => onTerm(span.id, 'change')}
        >
          {names}
        </button>
      )}
      {onTerm !== undefined && (
        <button
          type="button"
          className="ann-icon-button"
          aria-label={strings.linkTerm}
          title={`${strings.linkTerm} (E)`}
          onClick={() => onTerm(span.id, 'link')}
        >
          <BookMarked size={14} strokeWidth={1.75} aria-hidden />
        </button>
      )}
    </>
  );
}
