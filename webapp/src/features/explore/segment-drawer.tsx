import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AnnotationDetails } from '@/annotation/annotation-details';
import type { SegmentHit } from '@/api/resources/segments';
import { LabelPanel } from '@/blocks/labelling/label-panel';
import { useAnnotatedText, type AnnotatedTextView } from '@/blocks/labelling/use-annotated-text';
import type { ViewFilter } from '@/blocks/labelling/view-filter';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { AnnotationTerms } from '@/blocks/terms/annotation-terms';
import { useTermLinking } from '@/blocks/terms/use-term-linking';
import { useEdits } from '@/labelling-sync/edits-store';
import { notify } from '@/state/notifications-store';
import type { SegmentDetailsProps } from './segment-details-props';
import styles from './explore.module.css';
import { SegmentRelations } from './segment-relations';

function SegmentDetails({ segment, labelling, filter, focusedId, writable, onFocusSpan }: SegmentDetailsProps): ReactNode {
  const { t } = useTranslation('explore');
  const content = useAnnotatedText(
    segment.text,
    segment.start,
    segment.annotations,
    useEdits(labelling.project, segment.documentIdentifier),
    filter,
  );
  const { project } = useProjectLabels();
  const linking = useTermLinking(labelling, segment.documentIdentifier, content.termsOf);
  const stated = segment.metadata?.['language'];
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
      <AnnotationTerms
        project={labelling.project}
        id={span.id}
        language={typeof stated === 'string' ? stated : (project?.lang ?? 'en')}
        onPick={undefined}
        {...{ linking, writable }}
      />
    </div>
  );
}

function annotationCreators(hits: readonly SegmentHit[]): readonly string[] {
  return [...new Set(hits.flatMap(({ segment }) => (segment.annotations ?? []).flatMap(({ createdBy }) => createdBy ?? [])))];
}

interface SegmentDrawerProps {
  readonly hits: readonly SegmentHit[];
  /** Counts by label on this page. */
  readonly counts: ReadonlyMap<string, number>;
  readonly content: AnnotatedTextView;
  readonly details: SegmentDetailsProps;
  /** Label of the focused annotation. */
  readonly label: string | undefined;
  readonly onPick: (label: string) => void;
  readonly onFilter: (filter: ViewFilter) => void;
  /** Path of the document at an offset, code points. */
  readonly pathTo: (start: number) => string;
}

/** Labels, relations and details of the active segment. */
export function SegmentDrawer({ hits, counts, content, details, label, onPick, onFilter, pathTo }: SegmentDrawerProps): ReactNode {
  const { labelling, filter } = details;
  return (
    <>
      <LabelPanel
        project={labelling.project}
        counts={counts}
        current={label}
        onPick={onPick}
        view={{ filter, onFilter, creators: annotationCreators(hits) }}
      />
      <SegmentRelations {...{ content, ...details, onFilter, pathTo }} />
      <SegmentDetails {...details} />
    </>
  );
}
