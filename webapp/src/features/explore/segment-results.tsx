import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictDialog } from '@/blocks/labelling/conflict-dialog';
import { useEdits } from '@/labelling-sync/edits-store';
import { hasLabelDrawer } from '@/blocks/labelling/label-panel';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useLabelCreation } from '@/blocks/labelling/use-label-creation';
import { SaveStatus } from '@/blocks/labelling/save-status';
import { useAnnotatedText } from '@/blocks/labelling/use-annotated-text';
import { UndoRedoButtons } from '@/blocks/labelling/undo-redo-buttons';
import { UndoConflictDialog } from '@/blocks/labelling/undo-conflict-dialog';
import { useLabellingEditor } from '@/labelling-sync/use-labelling-editor';
import { labellingTarget, useLabellingActions } from '@/blocks/labelling/use-labelling-actions';
import { useProjectUndoRedo } from '@/labelling-sync/use-undo-redo';
import { useViewFilter } from '@/blocks/labelling/view-filter';
import { LabelStrip } from '@/annotation/labels/label-drawer';
import type { Segment, SegmentHit } from '@/api/resources/segments';
import { Page } from '@/ui/page';
import { ToolbarMore } from '@/ui/toolbar';
import { notify } from '@/state/notifications-store';
import { useProjectWritable } from '@/state/session-store';
import type { SegmentDetailsProps } from './segment-details-props';
import { FoundSegments } from './found-segments';
import { documentPathAtPosition } from './segment-card';
import { SegmentDrawer } from './segment-drawer';
import type { SegmentResultsProps } from './segment-results-props';
import { useCardFocus } from './use-card-focus';

const EMPTY_SEGMENT: Segment = { identifier: '', documentIdentifier: '', start: 0, end: 0, text: '' };

function labelCountsInHits(hits: readonly SegmentHit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { segment } of hits) {
    for (const { labelName, status } of [...(segment.annotations ?? []), ...(segment.categories ?? [])])
      if (status !== 'KO') counts.set(labelName, (counts.get(labelName) ?? 0) + 1);
  }
  return counts;
}

/** The found segments with the label drawer; labels in a card are saved immediately. */
export function SegmentResults(props: SegmentResultsProps): ReactNode {
  const { project, state, hits } = props;
  const { t } = useTranslation(['explore', 'labelling']);
  const labels = useProjectLabels();
  const writable = useProjectWritable();
  const { active, setActive, focusedId, setFocusedId, focusedRelation, onRelation, onNamed, ...cardFocus } = useCardFocus();
  const [filter, setFilter] = useViewFilter(project);
  const labelling = useLabellingEditor(project, onNamed);
  const undoRedo = useProjectUndoRedo(project, writable);
  const spanLabels = useMemo(() => labels.spanSets.flatMap((set) => set.labels), [labels.spanSets]);
  const creation = useLabelCreation(project, labels.spanSets);
  const place = hits.findIndex(({ segment }) => segment.identifier === active.segment);
  const current = hits[place]?.segment ?? EMPTY_SEGMENT;
  const content = useAnnotatedText(current.text, current.start, current.annotations, useEdits(project, current.documentIdentifier), filter);
  const actions = useLabellingActions(labelling, current.documentIdentifier, content.serializer, setFocusedId);
  const span = content.all.find(({ id }) => id === focusedId);
  // A pick in the drawer clears the selection of its card: a new key mounts the card again.
  const [cleared, setCleared] = useState<Readonly<Record<string, number>>>({});

  const pick = (label: string) => {
    if (!writable) return notify({ type: 'info', message: t('errors:readOnlyProject') });
    const target = labellingTarget(active.selection, span?.id);
    if (target === undefined || !spanLabels.some(({ name }) => name === label)) return notify({ type: 'info', message: t('selectFirst') });
    actions.onLabel(label, target);
    setActive({ ...active, selection: undefined });
    setCleared({ ...cleared, [active.segment]: (cleared[active.segment] ?? 0) + 1 });
  };
  const counts = labelCountsInHits(hits);
  const shared: SegmentDetailsProps = {
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
            <SaveStatus labelling={labelling} />
            <ToolbarMore>
              <UndoRedoButtons undoRedo={undoRedo} />
            </ToolbarMore>
          </>
        ),
      )}
      drawerTitle={t('labels')}
      drawerOpen={false}
      {...(hasLabelDrawer(labels.project, counts.size) && {
        drawer: (
          <SegmentDrawer
            {...{ hits, counts, content }}
            details={shared}
            label={span?.label}
            onPick={pick}
            onFilter={setFilter}
            pathTo={(start) => documentPathAtPosition(state, current.documentIdentifier, Math.max(0, place), start)}
          />
        ),
        drawerStrip: <LabelStrip labels={strip} onPick={pick} />,
      })}
    >
      {props.chips}
      <FoundSegments
        {...{ results: props, labelling, filter, spanLabels, creation, active, focusedId, focusedRelation, cleared }}
        writable={writable && labels.takesSpans}
        cardFocus={cardFocus}
      />
      {props.children}
      <ConflictDialog labelling={labelling} />
      <UndoConflictDialog undoRedo={undoRedo} />
    </Page>
  );
}
