import { CopyPlus, FileSearch, Sparkles, Type } from 'lucide-react';
import { memo, useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useEdits } from '@/labelling-sync/edits-store';
import { useSelectionExtension } from '@/blocks/labelling/label-panel';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useAnnotatedText } from '@/blocks/labelling/use-annotated-text';
import { AnnotationTermPicker } from '@/blocks/terms/annotation-term-picker';
import { useLinkableTerms } from '@/blocks/terms/use-project-terms';
import { useTermLinking } from '@/blocks/terms/use-term-linking';
import { textOfExtent } from '@/annotation/fragments';
import { useLabellingActions } from '@/blocks/labelling/use-labelling-actions';
import type { ViewFilter } from '@/blocks/labelling/view-filter';
import type { LabelCreation } from '@/annotation/labels/label-creation';
import { LabelPicker } from '@/annotation/labels/label-picker';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import type { TextRange } from '@/annotation/model';
import { SegmentText } from '@/annotation/surface/segment-text';
import { isSuggestedCategory } from '@/api/resources/categories';
import type { SegmentHit } from '@/api/resources/segments';
import { Badge } from '@/ui/badge';
import { CheckBox } from '@/ui/choice-inputs';
import { Chip } from '@/ui/chip';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { When } from '@/ui/when';
import { addressPath, type SearchAddress } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import styles from './explore.module.css';
import { useSegmentRelations } from './use-segment-relations';

export interface SegmentCardProps {
  readonly hit: SegmentHit;
  /** Index on the page, from 0. */
  readonly index: number;
  /** It was opened last: the position the reader comes back to. */
  readonly current: boolean;
  readonly state: SearchAddress;
  readonly labelling: LabellingEditor;
  readonly filter: ViewFilter;
  readonly spanLabels: readonly LabelAppearance[];
  /** How the picker creates labels; keep its identity stable. */
  readonly creation: LabelCreation;
  readonly focusedId: string | undefined;
  readonly focusedRelation: string | undefined;
  readonly onFocusRelation: (segment: string, id: string | undefined) => void;
  readonly selected: boolean;
  readonly writable: boolean;
  readonly onActive: (segment: string, selection: TextRange | undefined) => void;
  readonly onFocus: (segment: string, id: string | undefined) => void;
  readonly onSelect: (segment: string, on: boolean) => void;
  readonly onSimilar: (segment: string) => void;
}

const RRF_DIGITS = 4;
const NOTHING: readonly never[] = [];

/** Path of a document of the page at an offset, code points; navigation there continues through the segments of this search. */
export function documentPathAtPosition(
  state: SearchAddress,
  documentIdentifier: string,
  index: number,
  highlightedSentence: number,
): string {
  return addressPath('/document', { ...state, origin: 'explore', from: state.from + index, documentIdentifier, highlightedSentence });
}

/** S-019: path of the document at this segment. */
export function documentPathAtSegment(state: SearchAddress, { segment }: SegmentHit, index: number): string {
  return documentPathAtPosition(state, segment.documentIdentifier, index, segment.start);
}

function RankBadges({ hit, ranked }: { readonly hit: SegmentHit; readonly ranked: boolean }): ReactNode {
  const { t } = useTranslation('explore');
  const format = useFormat();
  const { textRank, vectorRank, score } = hit;
  const hybrid = textRank !== undefined || vectorRank !== undefined;
  const rank = (value: number | undefined) => (value === undefined ? '–' : `#${format.number(value)}`);
  return (
    <>
      {hybrid && <Badge icon={Type}>{t('textRank', { rank: rank(textRank) })}</Badge>}
      {hybrid && <Badge icon={Sparkles}>{t('vectorRank', { rank: rank(vectorRank) })}</Badge>}
      {ranked && score !== undefined && (
        <span className={styles['score']} title={t('score')}>
          <span className="visually-hidden">{t('score')} </span>
          {formatHitScore(score, format.language)}
        </span>
      )}
    </>
  );
}

/** Text scores are unbounded and keep their digits; small fused ones drop the leading zero. */
function formatHitScore(score: number, language: string): string {
  const text = new Intl.NumberFormat(language, {
    minimumFractionDigits: score < 1 ? RRF_DIGITS : 2,
    maximumFractionDigits: score < 1 ? RRF_DIGITS : 2,
  }).format(score);
  return language.startsWith('fr') ? text : text.replace(/^0\./u, '.');
}

function SegmentCardHead({
  hit,
  index,
  state,
  selected,
  onSelect,
  onSimilar,
}: Pick<SegmentCardProps, 'hit' | 'index' | 'state' | 'selected' | 'onSelect' | 'onSimilar'>): ReactNode {
  const { t } = useTranslation('explore');
  const format = useFormat();
  const navigate = useNavigate();
  const { segment } = hit;
  const title = segment.documentTitle ?? segment.documentIdentifier;
  const maySearch = useCan('useSearch');
  const inDocument = documentPathAtSegment(state, hit, index);
  return (
    <div className={styles['head']}>
      <CheckBox name={t('select', { title })} checked={selected} onChange={(on) => onSelect(segment.identifier, on)} />
      <h2 data-needed>
        <Link to={inDocument}>{title}</Link>
      </h2>
      <span className={styles['where']}>
        {t('characters', { start: format.number(segment.start), end: format.number(segment.end) })}
        {segment.modifiedDate !== undefined && (
          <>
            {' · '}
            <When at={segment.modifiedDate} />
          </>
        )}
      </span>
      <span className={styles['end']}>
        <span className={styles['actions']} data-needed>
          <IconButton small label={t('inDocument')} icon={FileSearch} onClick={() => void navigate(inDocument)} />
          {maySearch && <IconButton small label={t('similar')} icon={CopyPlus} onClick={() => onSimilar(segment.identifier)} />}
        </span>
        <RankBadges hit={hit} ranked={state.query !== '' || state.action === '_similar'} />
      </span>
    </div>
  );
}

function SegmentCategories({ hit }: { readonly hit: SegmentHit }): ReactNode {
  const { nameOf, colourOf } = useProjectLabels();
  const categories = (hit.segment.categories ?? []).filter(({ status }) => status !== 'KO');
  if (categories.length === 0) return null;
  return (
    <div className={styles['categories']}>
      {categories.map((category) => {
        const colour = colourOf(category.labelName);
        return (
          <Chip
            key={category.identifier}
            text={nameOf(category.labelName)}
            dashed={isSuggestedCategory(category)}
            {...(colour === undefined ? {} : { colour })}
          />
        );
      })}
    </div>
  );
}

/**
 * A found segment: matches, annotations, and labelling in place (S-020). Its offsets start at the segment, those of the server at the
 * document.
 */
export const SegmentCard = memo(function SegmentCard(props: SegmentCardProps): ReactNode {
  const { hit, labelling, filter, spanLabels, creation, focusedId, writable, onActive, onFocus } = props;
  const { segment } = hit;
  const { t } = useTranslation('explore');
  const { project } = useProjectLabels();
  const [extension] = useSelectionExtension(labelling.project, project?.lang);
  const content = useAnnotatedText(
    segment.text,
    segment.start,
    segment.annotations,
    useEdits(labelling.project, segment.documentIdentifier),
    filter,
  );
  const { focusedRelation, onFocusRelation: onFocusIn } = props;
  const onFocusRelation = useCallback((id: string | undefined) => onFocusIn(segment.identifier, id), [onFocusIn, segment.identifier]);
  const relations = useSegmentRelations(segment, labelling, writable, filter.relations, { focusedId, focusedRelation, onFocusRelation });
  const focus = useCallback((id: string | undefined) => onFocus(segment.identifier, id), [onFocus, segment.identifier]);
  const actions = useLabellingActions(labelling, segment.documentIdentifier, content.serializer, focus);
  const linking = useTermLinking(labelling, segment.documentIdentifier, content.termsOf);
  const linkable = useLinkableTerms(labelling.project);
  const textOf = (id: string): string => {
    const span = content.all.find((one) => one.id === id);
    return span === undefined ? '' : textOfExtent(segment.text, span);
  };
  const found = hit.highlights?.text ?? NOTHING;
  const hits = useMemo(
    () => found.map(({ start, end }) => content.serializer.range(start + segment.start, end + segment.start)),
    [found, content.serializer, segment.start],
  );
  const language = segment.metadata?.['language'];
  return (
    <li className={styles['card']} data-selected={props.selected || undefined} data-current={props.current || undefined} tabIndex={-1}>
      <SegmentCardHead {...props} />
      <div className={styles['text']}>
        <SegmentText
          text={segment.text}
          spans={content.spans}
          hits={hits}
          language={typeof language === 'string' ? language : project?.lang}
          focusedId={focusedId}
          extension={extension}
          characters={(range) => content.serializer.apiRange(range)}
          name={t('segmentOf', { title: segment.documentTitle ?? segment.documentIdentifier })}
          relations={relations.drawn}
          {...(writable && {
            ...actions,
            onFocusSpan: focus,
            onSelection: (range: TextRange | undefined) => onActive(segment.identifier, range),
            ...(linkable && { terms: { onUnlink: linking.unlinkLast } }),
            renderPicker: (context) =>
              context.terms === undefined ? (
                <LabelPicker
                  {...{ creation }}
                  direct={context.direct}
                  labels={spanLabels}
                  initialQuery={context.query}
                  onPick={context.pick}
                  onClose={context.close}
                />
              ) : (
                <AnnotationTermPicker project={labelling.project} {...{ context, linking, textOf }} />
              ),
          })}
        />
        <SegmentCategories hit={hit} />
      </div>
    </li>
  );
});
