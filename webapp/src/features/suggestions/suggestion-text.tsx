/** The text of the suggestion in focus: read-only as a whole document or by touch, else words are labelled and boundaries moved in it. */
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SuggestedDocument, Suggestion } from '@/api/resources/suggestions';
import { useSelectionExtension } from '@/blocks/labelling/label-panel';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { DocumentSerializer } from '@/annotation/document-serializer';
import { LabelPicker } from '@/annotation/labels/label-picker';
import type { Span } from '@/annotation/model';
import { SegmentText } from '@/annotation/surface/segment-text';
import { useCommands } from '@/ui/command-registry';
import { placeInDocument } from './moved-spans';
import { contextRanges, placedProposal, type Proposal } from './review-model';
import type { ReviewState } from './use-review';
import styles from './suggestions.module.css';

const SIZE = 15;

export interface SuggestionTextProps {
  readonly suggestion: Suggestion;
  readonly proposals: readonly Proposal[];
  /** Proposals of the document's other suggestions, for the whole text. */
  readonly others: readonly Proposal[];
  readonly review: ReviewState;
  /** Words can be labelled and boundaries dragged. */
  readonly editable: boolean;
  readonly document: SuggestedDocument | undefined;
  readonly whole: boolean;
  readonly level: number;
}

/** The displayed text with its offsets in the document: the segment, or the whole document. */
function segmentOrDocumentText(suggestion: Suggestion, document: SuggestedDocument | undefined, whole: boolean) {
  if (whole && document !== undefined) return { text: document.text, origin: 0, end: Number.MAX_SAFE_INTEGER };
  return { text: suggestion.text, origin: suggestion.start, end: suggestion.end };
}

const spanKey = (span: Span) => `${String(span.start)}-${String(span.end)}-${span.label}`;

/** Suggested spans, and the confirmed ones around them. */
function suggestedAndConfirmedSpans(
  text: ReturnType<typeof segmentOrDocumentText>,
  proposals: readonly Proposal[],
  annotations: SuggestedDocument['annotations'] = [],
): Span[] {
  const wire = new DocumentSerializer(text.text, text.origin);
  const suggested = proposals
    .filter((item) => item.kind === 'annotation')
    .map(placedProposal)
    .map((item) =>
      wire.span({ identifier: item.key, start: item.start, end: item.end, labelName: item.labelName, score: item.score, suggestion: true }),
    );
  const taken = new Set(suggested.map(spanKey));
  const confirmed = annotations
    .filter((item) => item.status !== 'KO' && (item.creationMode !== 'automatic' || item.status === 'OK'))
    .filter((item) => item.start >= text.origin && item.end <= text.end)
    .map((item, index) => wire.span(item, index))
    .filter((span) => !taken.has(spanKey(span)));
  return [...confirmed, ...suggested];
}

interface EditableProps {
  readonly review: ReviewState;
  readonly suggestion: Suggestion;
  readonly spans: readonly Span[];
}

/** Selected words become a span that the suggester missed; a dragged boundary stays unsaved until the proposal is accepted. */
function EditableSuggestionText({ review, suggestion, spans }: EditableProps): ReactNode {
  const { t } = useTranslation('suggestions');
  const { project, spanSets } = useProjectLabels();
  const [extension] = useSelectionExtension(review.project, project?.lang);
  const frame = useRef<HTMLDivElement>(null);
  useCommands(() => [
    {
      id: 'review.add',
      section: 'annotation',
      title: t('key.add'),
      keys: ['A'],
      run: () => frame.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
    },
  ]);
  const onProposal = (act: (id: string) => unknown) => (id: string | undefined) => {
    if (id !== undefined && review.proposals.some(({ key }) => key === id)) act(id);
  };
  return (
    <div ref={frame}>
      <SegmentText
        text={suggestion.text}
        spans={spans}
        focusedId={review.proposal?.key}
        size={SIZE}
        language={project?.lang}
        extension={extension}
        name={t('judgedSegment')}
        characters={(range) => placeInDocument(suggestion, range)}
        onFocusSpan={onProposal(review.focusProposal)}
        onAccept={onProposal(review.accept)}
        onReject={onProposal(review.reject)}
        onRemove={onProposal(review.reject)}
        onResize={(id, extent) => review.placeSpan(id, placeInDocument(suggestion, extent))}
        onLabel={(label, target) => {
          if (target.kind === 'selection') review.addMissed(label, placeInDocument(suggestion, target));
          else onProposal(() => review.relabel(label))(target.id);
        }}
        renderPicker={({ pick, close, query, direct }) => (
          <LabelPicker
            {...{ direct }}
            labels={spanSets.flatMap((set) => set.labels)}
            likely={review.proposals.map((item) => item.labelName)}
            initialQuery={query}
            onPick={pick}
            onClose={close}
          />
        )}
      />
    </div>
  );
}

/** The segment with its confirmed and suggested spans, inside its context. */
export function SuggestionText(props: SuggestionTextProps) {
  const { suggestion, proposals, others, review, document, whole, level, editable } = props;
  const inDocument = new DocumentSerializer(document?.text ?? '');
  const shown = segmentOrDocumentText(suggestion, document, whole);
  const spans = suggestedAndConfirmedSpans(shown, whole ? [...proposals, ...others] : proposals, document?.annotations);
  const around = contextRanges(document?.sentences ?? [], suggestion, level);
  const slice = (range: { start: number; end: number } | null) => {
    if (range === null || whole) return null;
    const { start, end: stop } = inDocument.range(range.start, range.end);
    return <p className={styles['around']}>{inDocument.text.slice(start, stop)}</p>;
  };
  return (
    <div
      className={styles['text']}
      data-whole={whole || undefined}
      {...(whole && { tabIndex: 0, role: 'region', 'aria-label': suggestion.documentTitle ?? suggestion.documentIdentifier })}
    >
      {slice(around.before)}
      {editable && !whole ? (
        <EditableSuggestionText key={suggestion._id} {...{ review, suggestion, spans }} />
      ) : (
        <SegmentText text={shown.text} spans={spans} focusedId={review.proposal?.key} size={SIZE} />
      )}
      {slice(around.after)}
    </div>
  );
}
