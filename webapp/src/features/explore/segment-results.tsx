import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AnnotationDetails } from '@/annotation/annotation-details';
import { ConflictDialog } from '@/blocks/labelling/conflict-dialog';
import { useEdits } from '@/labelling-sync/edits-store';
import { hasLabelDrawer, LabelPanel } from '@/blocks/labelling/label-panel';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { SavedState } from '@/blocks/labelling/saved-state';
import { useAnnotatedText } from '@/blocks/labelling/use-annotated-text';
import { UndoRedoButtons } from '@/blocks/labelling/undo-redo-buttons';
import { UndoConflictDialog } from '@/blocks/labelling/undo-conflict-dialog';
import { useLabelling } from '@/labelling-sync/use-labelling';
import { targetOf, useLabellingActions } from '@/blocks/labelling/use-labelling-actions';
import { useProjectUndoRedo } from '@/labelling-sync/use-undo-redo';
import { useViewFilter } from '@/blocks/labelling/view-filter';
import { LabelStrip } from '@/annotation/labels/label-drawer';
import type { SearchTotal } from '@/api/resources/search';
import type { Segment, SegmentHit } from '@/api/resources/segments';
import { Page, type PageProps } from '@/ui/page';
import { Pager } from '@/ui/pager';
import { lastOpened, useReturn } from '@/state/last-opened';
import { notify } from '@/state/notifications-store';
import type { ChangeAddress, SearchAddress } from '@/state/search-address';
import { useProjectWritable } from '@/state/session-store';
import styles from './explore.module.css';
import type { DetailsProps } from './details-props';
import { SegmentRelations } from './segment-relations';
import { positionPath, SegmentCard } from './segment-card';
import { SelectionBar } from './selection-bar';
import { useCardFocus } from './use-card-focus';

interface SegmentResultsProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
  readonly hits: readonly SegmentHit[];
  readonly total: SearchTotal | undefined;
  /** How many a page has room for. */
  readonly size: number;
  readonly stale: boolean;
  readonly page: Pick<PageProps, 'filters' | 'activeFilters' | 'onClearFilters'>;
  readonly toolbar: (end: ReactNode) => ReactNode;
  readonly chips: ReactNode;
  /** Instead of results: loading, nothing, an error. */
  readonly children: ReactNode;
}

const EMPTY_SEGMENT: Segment = { identifier: '', documentIdentifier: '', start: 0, end: 0, text: '' };

function Details({ segment, labelling, filter, focusedId, writable, onFocusSpan }: DetailsProps): ReactNode {
  const { t } = useTranslation('explore');
  const content = useAnnotatedText(
    segment.text,
    segment.start,
    segment.annotations,
    useEdits(labelling.project, segment.documentIdentifier),
    filter,
  );
  const span = content.all.find(({ id }) => id === focusedId);
  if (span === undefined) return null;
  const act = writable && {
    onChangeLabel: () => notify({ type: 'info', message: t('changeHint') }),
    onAccept: (id: string) => labelling.change(segment.documentIdentifier, id, { status: 'OK' }),
    onReject: (id: string) => labelling.change(segment.documentIdentifier, id, { status: 'KO' }),
    onRemove: (id: string) => labelling.remove(segment.documentIdentifier, id),
    onRetry: (id: string) => labelling.retryAnnotation(id),
  };
  return (
    <div className={styles['details']}>
      <AnnotationDetails
        span={span}
        spans={content.spans}
        text={segment.text}
        characters={content.serializer.apiRange(span)}
        onFocusSpan={onFocusSpan}
        {...act}
      />
    </div>
  );
}

function creatorsOf(hits: readonly SegmentHit[]): readonly string[] {
  return [...new Set(hits.flatMap(({ segment }) => (segment.annotations ?? []).flatMap(({ createdBy }) => createdBy ?? [])))];
}

function countsOf(hits: readonly SegmentHit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { segment } of hits) {
    for (const { labelName, status } of [...(segment.annotations ?? []), ...(segment.categories ?? [])])
      if (status !== 'KO') counts.set(labelName, (counts.get(labelName) ?? 0) + 1);
  }
  return counts;
}

/** The found segments with the label drawer: whatever is labelled in a card is saved at once. */
export function SegmentResults(props: SegmentResultsProps): ReactNode {
  const { project, state, change, hits, total } = props;
  const { t } = useTranslation(['explore', 'labelling']);
  const labels = useProjectLabels();
  const writable = useProjectWritable();
  const { active, setActive, focusedId, setFocusedId, focusedRelation, onRelation, onNamed, ...cardFocus } = useCardFocus();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useViewFilter(project);
  const labelling = useLabelling(project, onNamed);
  const undoRedo = useProjectUndoRedo(project, writable);
  const spanLabels = useMemo(() => labels.spanSets.flatMap((set) => set.labels), [labels.spanSets]);
  const place = hits.findIndex(({ segment }) => segment.identifier === active.segment);
  const current = hits[place]?.segment ?? EMPTY_SEGMENT;
  const content = useAnnotatedText(current.text, current.start, current.annotations, useEdits(project, current.documentIdentifier), filter);
  const actions = useLabellingActions(labelling, current.documentIdentifier, content.serializer, setFocusedId);
  const span = content.all.find(({ id }) => id === focusedId);
  // A pick in the drawer ends the selection of its card: a new key makes a new card.
  const [cleared, setCleared] = useState<Readonly<Record<string, number>>>({});

  const pick = (label: string) => {
    if (!writable) return notify({ type: 'info', message: t('errors:readOnlyProject') });
    const target = targetOf(active.selection, span?.id);
    if (target === undefined || !spanLabels.some(({ name }) => name === label)) return notify({ type: 'info', message: t('selectFirst') });
    actions.onLabel(label, target);
    setActive({ ...active, selection: undefined });
    setCleared({ ...cleared, [active.segment]: (cleared[active.segment] ?? 0) + 1 });
  };
  const onSelect = useCallback(
    (id: string, on: boolean) => setSelected((known) => new Set(on ? [...known, id] : [...known].filter((other) => other !== id))),
    [],
  );
  const onSimilar = useCallback((segid: string) => change({ action: '_similar', segid }), [change]);
  const list = useRef<HTMLOListElement>(null);
  const [opened] = useState(() => lastOpened('explore'));
  useReturn('explore', list, hits.length > 0);
  const counts = countsOf(hits);
  const shared: DetailsProps = {
    segment: current,
    ...{ labelling, filter, focusedId, writable },
    onFocusRelation: onRelation,
    onFocusSpan: setFocusedId,
    focusedRelation,
  };
  const strip = [...spanLabels, ...labels.categorySets.flatMap((set) => set.labels)];
  return (
    <Page
      screen="explore"
      plain
      flush
      {...props.page}
      toolbar={props.toolbar(
        writable && (
          <>
            <SavedState labelling={labelling} />
            <UndoRedoButtons undoRedo={undoRedo} />
          </>
        ),
      )}
      drawerTitle={t('labels')}
      drawerOpen={false}
      {...(hasLabelDrawer(labels.project, counts.size) && {
        drawer: (
          <>
            <LabelPanel
              project={project}
              counts={counts}
              current={span?.label}
              onPick={pick}
              view={{ filter, onFilter: setFilter, creators: creatorsOf(hits) }}
            />
            <SegmentRelations
              {...{ content, ...shared }}
              onFilter={setFilter}
              pathTo={(start) => positionPath(state, current.documentIdentifier, Math.max(0, place), start)}
            />
            <Details {...shared} />
          </>
        ),
        drawerStrip: <LabelStrip labels={strip} onPick={pick} />,
      })}
    >
      {props.chips}
      {hits.length > 0 && (
        <>
          <ol
            ref={list}
            className={styles['list']}
            aria-label={t('results')}
            data-stale={props.stale || undefined}
            data-quiet={!filter.showOnHover || undefined}
            start={state.from + 1}
          >
            {hits.map((hit, index) => (
              <SegmentCard
                key={`${hit._id}/${cleared[hit.segment.identifier] ?? 0}`}
                {...{ hit, index, labelling, filter, spanLabels, state, onSelect, onSimilar, ...cardFocus }}
                focusedId={hit.segment.identifier === active.segment ? focusedId : undefined}
                focusedRelation={hit.segment.identifier === active.segment ? focusedRelation : undefined}
                selected={selected.has(hit.segment.identifier)}
                current={hit.segment.identifier === opened}
                writable={writable && spanLabels.length > 0}
              />
            ))}
          </ol>
          <div className={styles['foot']}>
            <Pager
              from={state.from}
              size={props.size}
              total={total?.value ?? 0}
              exact={total?.relation === 'eq'}
              onChange={(from) => change({ from })}
            />
            <SelectionBar
              project={project}
              state={state}
              segments={hits.map(({ segment }) => segment)}
              selected={selected}
              onClear={() => setSelected(new Set())}
            />
          </div>
        </>
      )}
      {props.children}
      <ConflictDialog labelling={labelling} />
      <UndoConflictDialog undoRedo={undoRedo} />
    </Page>
  );
}
