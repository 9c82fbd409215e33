/** The focused annotation in the drawer: its label, position, author and actions. Presentational. */
import { use, type ReactNode } from 'react';
import { Ban, Check, RotateCcw, Scissors, Tags, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import './annotation.css';
import '@/annotation/labels/label-drawer.css';
import '@/annotation/relations/relations.css';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { fragmentsOf, textOfExtent, withoutFragment } from './fragments';
import type { SpanExtent } from './fragments';
import { LabelTag } from '@/annotation/labels/label-tag';
import { formatScore } from './model';
import type { Span, TextRange } from './model';
import { PersonContext, useAnnotationStrings } from './strings';
import type { AnnotationStrings } from './strings';

interface AnnotationDetailsProps {
  readonly span: Span;
  readonly text: string;
  /** Code points in the document, as the API and other tools count (see `DocumentSerializer.apiRange`). */
  readonly characters: TextRange;
  /** All spans of the document, to find those that it contains or lies inside. */
  readonly spans: readonly Span[];
  readonly onFocusSpan?: ((id: string) => void) | undefined;
  readonly onChangeLabel?: ((id: string) => void) | undefined;
  readonly onAccept?: ((id: string) => void) | undefined;
  readonly onReject?: ((id: string) => void) | undefined;
  readonly onRemove?: ((id: string) => void) | undefined;
  readonly onRetry?: ((id: string) => void) | undefined;
  /** Changes the range; the annotation keeps its identity. */
  readonly onReshape?: ((id: string, extent: SpanExtent) => void) | undefined;
  /** Rendered history entries. */
  readonly history?: ReactNode;
}

export function AnnotationDetails(props: AnnotationDetailsProps): ReactNode {
  const { span, text, spans, characters } = props;
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const personName = use(PersonContext);
  const contained = spans.filter((other) => other.id !== span.id && other.start >= span.start && other.end <= span.end);
  const around = spans.filter(
    (other) => other.id !== span.id && other.start <= span.start && other.end >= span.end && !contained.includes(other),
  );
  return (
    <section className="ann-details" aria-label={appearanceOf(appearance, span.label).label}>
      <div className="ann-details-title">
        <LabelTag label={appearanceOf(appearance, span.label)} />
        <strong dir="auto">{textOfExtent(text, span)}</strong>
        <DetailsActions {...props} />
      </div>
      {span.status === 'failed' && <p className="ann-error">{strings.notSaved}</p>}
      <dl>
        <FragmentList {...props} />
        <NestedAnnotationList title={strings.contains} related={contained} {...props} />
        <NestedAnnotationList title={strings.insideTitle} related={around} {...props} />
        <dt>{strings.characters}</dt>
        <dd className="ann-mono">
          {characters.start}–{characters.end}
        </dd>
        <dt>{strings.confidence}</dt>
        <dd>{scoreAndStatusText(span, strings)}</dd>
        {span.creator !== undefined && span.creator !== '' && (
          <>
            <dt>{strings.author}</dt>
            <dd>{personName(span.creator, span)}</dd>
          </>
        )}
      </dl>
      {props.history !== undefined && (
        <>
          <h3>{strings.history}</h3>
          {props.history}
        </>
      )}
    </section>
  );
}

function scoreAndStatusText(span: Span, strings: AnnotationStrings): string {
  if (span.score !== undefined) return `${formatScore(span.score)} · ${strings.status[span.status]}`;
  return span.status === 'confirmed' && span.creationMode === 'manual' ? strings.confirmedByHand : strings.status[span.status];
}

/** The fragments of a discontinuous annotation, each with a button that removes it. */
function FragmentList({ span, text, onReshape }: AnnotationDetailsProps): ReactNode {
  const strings = useAnnotationStrings();
  if (span.fragments === undefined) return null;
  return (
    <>
      <dt>{strings.fragments}</dt>
      <dd>
        <ul className="ann-pieces">
          {fragmentsOf(span).map(({ start, end }, at) => {
            const words = text.slice(start, end);
            return (
              <li key={start}>
                <span dir="auto">{words}</span>
                {onReshape !== undefined && (
                  <button
                    type="button"
                    className="ann-icon-button"
                    aria-label={strings.dropThisFragment(words)}
                    title={strings.dropThisFragment(words)}
                    onClick={() => onReshape(span.id, withoutFragment(span, at))}
                  >
                    <Scissors size={14} strokeWidth={1.75} aria-hidden />
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      </dd>
    </>
  );
}

type RelatedProps = AnnotationDetailsProps & { readonly title: string; readonly related: readonly Span[] };

function NestedAnnotationList({ title, related, text, onFocusSpan }: RelatedProps): ReactNode {
  const appearance = useAppearance();
  if (related.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {related.map((span) => (
          <button key={span.id} type="button" className="ann-related" onClick={() => onFocusSpan?.(span.id)}>
            <LabelTag label={appearanceOf(appearance, span.label)} /> <span dir="auto">{textOfExtent(text, span)}</span>
          </button>
        ))}
      </dd>
    </>
  );
}

function DetailsActions({ span, onChangeLabel, onAccept, onReject, onRemove, onRetry }: AnnotationDetailsProps): ReactNode {
  const strings = useAnnotationStrings();
  const action = (name: string, Icon: LucideIcon, act: ((id: string) => void) | undefined): ReactNode =>
    act && (
      <button type="button" className="ann-icon-button" aria-label={name} title={name} onClick={() => act(span.id)}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
      </button>
    );
  return (
    <span className="ann-details-actions">
      {span.status === 'failed' && action(strings.retry, RotateCcw, onRetry)}
      {span.status === 'suggested' && action(strings.accept, Check, onAccept)}
      {action(strings.changeLabel, Tags, onChangeLabel)}
      {span.status !== 'rejected' && action(strings.reject, Ban, onReject)}
      {action(strings.remove, Trash2, onRemove)}
    </span>
  );
}
