/** One block of text drawn as flat runs. Its concatenated text nodes are exactly `text.slice(block.start, block.end)`. */
import { Fragment, memo, useMemo } from 'react';
import type { ReactNode } from 'react';
import { splitRuns } from '@/text/span-runs';
import type { Edge } from '@/text/resize-range';
import type { Run } from '@/text/span-runs';
import { describeSpansOfRun } from './describe-span';
import { laneCountOfRun, isRejected, MAX_LANES, runStyle, tagsOf, scaledLength } from './run-drawing';
import type { RunHighlights } from './run-drawing';
import type { Appearance } from './label-style';
import { formatScore } from '@/annotation/model';
import type { CommentMark, SearchHit, Span, TextRange } from '@/annotation/model';
import type { PlacedSpan } from './items-by-row';
import { RunText } from './run-text';
import type { AnnotationStrings } from '@/annotation/strings';
import { fragmentIndexAt } from '@/annotation/fragments';
import { isMovable } from '@/annotation/surface/use-span-drag';

export interface BlockHighlights {
  readonly hits: readonly SearchHit[];
  readonly selectionStart: number;
  readonly selectionEnd: number;
  readonly caretStart: number;
  readonly caretEnd: number;
  readonly focusedId: string | undefined;
  readonly hoveredId: string | undefined;
  /** Ids separated by spaces: spans at the ends of a highlighted relation. */
  readonly linked?: string | undefined;
  /** Arc lanes by span id: lines of these spans become taller upwards. */
  readonly rises?: ReadonlyMap<string, number> | undefined;
}

export interface DrawContext {
  readonly appearance: Appearance;
  readonly strings: AnnotationStrings;
  readonly rtl: boolean;
  /** Prefix of element ids, unique per surface. */
  readonly idPrefix: string;
  /** Edges of spans can be dragged: they show handles on hover and in focus. */
  readonly resizable?: boolean | undefined;
  /** Relations can be drawn from a handle of a span. */
  readonly linkable?: boolean | undefined;
  /** Sentences have a button that opens their categories. */
  readonly sentences?: boolean | undefined;
  /** Threads of comments. */
  readonly comments?: readonly CommentMark[] | undefined;
}

interface RunsProps extends BlockHighlights {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly placed: readonly PlacedSpan[];
  readonly context: DrawContext;
}

/** Id of the element that starts a span: target of aria-activedescendant and of scrolling. */
export function spanElementId(idPrefix: string, spanId: string): string {
  return `${idPrefix}-${spanId}`;
}

function rangeCovers(range: TextRange, run: TextRange): boolean {
  return range.start <= run.start && range.end >= run.end && range.start < range.end;
}

const NO_IDS: readonly string[] = [];

function highlightsOfRun(run: Run<Span>, layers: BlockHighlights): RunHighlights {
  const selection = { start: layers.selectionStart, end: layers.selectionEnd };
  const hits = layers.hits.filter((hit) => rangeCovers(hit, run));
  const current = hits.find((hit) => hit.current === true);
  return {
    focusedId: layers.focusedId,
    hoveredId: layers.hoveredId,
    linked: layers.linked === undefined || layers.linked === '' ? NO_IDS : layers.linked.split(' '),
    hit: hits.length > 0,
    currentHit: current && { first: run.start === current.start, last: run.end === current.end },
    selected: rangeCovers(selection, run),
    selectionStart: run.start === selection.start,
    selectionEnd: run.end === selection.end,
    caret: rangeCovers({ start: layers.caretStart, end: layers.caretEnd }, run),
  };
}

export const TextRuns = memo(function TextRuns(props: RunsProps): ReactNode {
  const { text, start, end, placed, hits, selectionStart, selectionEnd, caretStart, caretEnd } = props;
  const { comments } = props.context;
  const marks = useMemo(() => (comments ?? NO_COMMENTS).filter((mark) => mark.end > start && mark.end <= end), [comments, start, end]);
  const runs = useMemo(() => {
    const cuts = [selectionStart, selectionEnd, caretStart, caretEnd, ...hits.flatMap((hit) => [hit.start, hit.end])];
    return splitRuns(start, end, placed, [...cuts, ...marks.map((mark) => mark.end)]);
  }, [start, end, placed, hits, marks, selectionStart, selectionEnd, caretStart, caretEnd]);
  return runs.map((run) => (
    <Fragment key={run.start}>
      <RunElement
        run={run}
        slice={text.slice(run.start, run.end)}
        layers={highlightsOfRun(run, props)}
        rise={arcLanesOverRun(run, props.rises)}
        context={props.context}
      />
      <EndOfComment mark={marks.find((mark) => mark.end === run.end)} />
    </Fragment>
  ));
});

const NO_COMMENTS: readonly CommentMark[] = [];

/** Takes no room between the letters. Not in the tab order, as a key opens the comments. */
function EndOfComment({ mark }: { readonly mark: CommentMark | undefined }): ReactNode {
  if (mark === undefined) return null;
  return (
    <i className="ann-comment-end">
      <i className="ann-comment" data-comment={mark.id} data-count={mark.count > 1 ? mark.count : undefined} aria-hidden="true" />
    </i>
  );
}

interface RunProps {
  readonly run: Run<Span>;
  readonly slice: string;
  readonly layers: RunHighlights;
  readonly rise: number;
  readonly context: DrawContext;
}

function arcLanesOverRun({ covers }: Run<Span>, rises: BlockHighlights['rises']): number {
  return rises === undefined ? 0 : Math.max(0, ...covers.map(({ span }) => rises.get(span.id) ?? 0));
}

function RunElement({ run, slice, layers, rise, context }: RunProps): ReactNode {
  const { appearance, rtl } = context;
  const drawn = runStyle(run, layers, appearance, rtl);
  if (run.covers.length === 0) {
    if (drawn.backgroundImage === undefined) return slice;
    const lanes = laneCountOfRun(run);
    return (
      <span
        className={layers.hit ? `ann-run ${hitClass(layers)}` : 'ann-run'}
        style={lanes === 0 ? drawn : { ...drawn, paddingBottom: scaledLength(6 + 14 * lanes) }}
        data-selected={layers.selected || undefined}
        data-caret={layers.caret || undefined}
      >
        {lanes === 0 ? slice : <RunText slice={slice} lanes={lanes} />}
      </span>
    );
  }
  return <MarkElement {...{ run, slice, layers, rise, context, drawn }} />;
}

const hitClass = ({ currentHit }: RunHighlights): string => (currentHit === undefined ? 'ann-hit' : 'ann-hit ann-current-hit');

function markClass(run: Run<Span>, layers: RunHighlights): string {
  const names = ['ann-run', 'ann-mark'];
  if (layers.hit) names.push(hitClass(layers));
  if (run.covers.every(({ span }) => isRejected(span))) names.push('ann-rejected');
  if (run.covers.some(({ span }) => span.id === layers.focusedId)) names.push('ann-focused');
  return names.join(' ');
}

function MarkElement({ run, slice, layers, rise, context, drawn }: RunProps & { readonly drawn: ReturnType<typeof runStyle> }): ReactNode {
  const { appearance, strings, idPrefix } = context;
  const lanes = laneCountOfRun(run);
  const words = { saving: strings.tagSaving, notSaved: strings.tagNotSaved };
  const tags = appearance.tags === 'never' ? [] : tagsOf(run, appearance, words, formatScore);
  const starting = run.covers.filter(({ first }) => first);
  return (
    <mark
      className={markClass(run, layers)}
      id={starting[0] && spanElementId(idPrefix, starting[0].span.id)}
      data-spans={run.covers.map(({ span }) => span.id).join(' ')}
      data-selected={layers.selected || undefined}
      data-caret={layers.caret || undefined}
      // The role mark may not have a name (ARIA 1.3), so the text goes into its description.
      aria-description={describeSpansOfRun(run.covers, appearance, strings)}
      style={{ ...drawn, paddingBottom: scaledLength(6 + 14 * lanes) }}
    >
      {starting.slice(1).map(({ span }) => (
        <i key={span.id} className="ann-anchor" id={spanElementId(idPrefix, span.id)} />
      ))}
      {tags.map((tag) => (
        <i
          key={`${tag.id}-${tag.kind}`}
          className={`ann-tag ann-tag-${tag.kind}`}
          data-tag={tag.text}
          data-tag-of={tag.id}
          aria-hidden="true"
          style={{ ...tag.style, top: scaledLength(20 + 14 * tag.lane) }}
        />
      ))}
      <ResizeHandles edge="start" run={run} layers={layers} context={context} />
      <RunText slice={slice} lanes={lanes} rise={rise} />
      <ResizeHandles edge="end" run={run} layers={layers} context={context} />
      <RelationHandle run={run} layers={layers} context={context} />
    </mark>
  );
}

/** Outside the letters, so that a selection can still start at the first one. Not in the tab order, as the keyboard has keys for it. */
function ResizeHandles({ edge, run, layers, context }: Omit<RunProps, 'slice' | 'rise'> & { readonly edge: Edge }): ReactNode {
  if (context.resizable !== true) return null;
  const shown = run.covers.filter(
    ({ span, fragmentFirst, fragmentLast }) =>
      (edge === 'start' ? fragmentFirst : fragmentLast) &&
      (span.id === layers.focusedId || span.id === layers.hoveredId) &&
      isMovable(span),
  );
  return shown.map(({ span }) => (
    <i key={`${edge}-${span.id}`} className="ann-grip">
      <i
        className={`ann-handle ann-handle-${edge}`}
        data-handle={edge}
        data-handle-of={span.id}
        data-piece={fragmentIndexAt(span, run.start)}
        aria-hidden="true"
      />
    </i>
  ));
}

/** At the end of the bar of the hovered or focused span. Not in the tab order, as the keyboard has a key for it. */
function RelationHandle({ run, layers, context }: Omit<RunProps, 'slice' | 'rise'>): ReactNode {
  if (context.linkable !== true) return null;
  const shown = run.covers.filter(
    ({ span, last, lane }) => last && lane < MAX_LANES && (span.id === layers.focusedId || span.id === layers.hoveredId) && isMovable(span),
  );
  return shown.map(({ span, lane }) => (
    <i
      key={`link-${span.id}`}
      className="ann-link-handle"
      data-link-of={span.id}
      aria-hidden="true"
      style={{ top: scaledLength(15.5 + 14 * lane) }}
    />
  ));
}
