import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { LabelPanel } from '@/blocks/labelling/label-panel';
import { OwnAnnotationsNote } from '@/blocks/labelling/own-annotations-note';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { countLabels, type AnnotatedTextView } from '@/blocks/labelling/use-annotated-text';
import type { ViewFilter } from '@/blocks/labelling/view-filter';
import type { LabelSetContent } from '@/annotation/labels/label-drawer-props';
import { RelationList } from '@/annotation/relations/relation-list';
import type { SpanExtent } from '@/annotation/fragments';
import { AnnotationDetails } from '@/annotation/annotation-details';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { AnnotationTerms } from '@/blocks/terms/annotation-terms';
import type { TermLinking } from '@/blocks/terms/use-term-linking';
import type { Project } from '@/api/resources/projects';
import { Disclosure } from '@/ui/disclosure';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { useCan } from '@/state/session-store';
import { documentCategories } from './categories-bar';
import styles from './documents.module.css';
import { MetadataList } from './metadata-list';
import { MetadataEditor } from './metadata-editor';
import type { RelationView } from './use-relation-view';

export interface DocumentDrawerProps {
  readonly document: AnnotatedDocument;
  readonly content: AnnotatedTextView;
  readonly labelling: LabellingEditor;
  readonly writable: boolean;
  readonly focusedId: string | undefined;
  readonly filter: ViewFilter;
  readonly onFilter: (filter: ViewFilter) => void;
  readonly onFocusSpan: (id: string) => void;
  readonly onChangeLabel: (id: string) => void;
  readonly onPick: (label: string) => void;
  readonly relations: RelationView;
  readonly linking: TermLinking;
  /** Opens the picker of terms at an annotation; undefined: terms cannot be linked. */
  readonly onPickTerm: ((id: string, purpose: 'link' | 'change') => void) | undefined;
}

function DocumentFacts({
  document,
  project,
  writable,
}: Pick<DocumentDrawerProps, 'document' | 'writable'> & { readonly project: string }): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const personName = usePersonName();
  const seesMetadata = useCan('seeMetadata');
  const edits = useCan('modifyMetadata') && writable;
  const facts: Record<string, string> = {
    [t('fact.identifier')]: document.identifier,
    ...(document.createdBy === undefined ? {} : { [t('fact.createdBy')]: personName(document.createdBy, document) }),
    ...(document.createdDate === undefined ? {} : { [t('fact.created')]: format.when(document.createdDate) }),
    ...(document.modifiedDate === undefined ? {} : { [t('fact.modified')]: format.when(document.modifiedDate) }),
  };
  const metadata = document.metadata ?? {};
  return (
    <section className={styles['facts']} aria-label={t('fact.title')}>
      <h3>{t('fact.title')}</h3>
      <MetadataList metadata={facts} />
      {seesMetadata && (edits || Object.keys(metadata).length > 0) && (
        <>
          <h3>{t('fact.metadata')}</h3>
          {edits ? <MetadataEditor {...{ project, document }} /> : <MetadataList metadata={metadata} />}
        </>
      )}
      {(document.altTexts ?? []).map(({ name, text }) => (
        <Disclosure key={name} summary={t('fact.altText', { name })}>
          <p dir="auto">{text}</p>
        </Disclosure>
      ))}
    </section>
  );
}

function labelCountsInDocument(document: AnnotatedDocument, content: AnnotatedTextView): ReadonlyMap<string, number> {
  const counts = new Map(countLabels(content.all));
  const categories = [
    ...documentCategories(document),
    ...(document.sentences ?? []).flatMap((sentence) => (sentence.categories ?? []).filter(({ status }) => status !== 'KO')),
  ];
  for (const { labelName } of categories) counts.set(labelName, (counts.get(labelName) ?? 0) + 1);
  return counts;
}

/** Relations need spans. */
const canHaveRelations = ({ all }: AnnotatedTextView, spanSets: readonly LabelSetContent[]): boolean =>
  all.length > 0 || spanSets.some(({ labels }) => labels.length > 0);

/** The document's own language; the project's otherwise. */
const documentLanguage = (document: AnnotatedDocument, project: Project | undefined): string => {
  const own = document.metadata?.['language'];
  return typeof own === 'string' ? own : (project?.lang ?? 'en');
};

/** Right drawer: labels, then the focused annotation, or details of the document. */
export function DocumentDrawer(props: DocumentDrawerProps): ReactNode {
  const { document, content, labelling, writable, focusedId, onFocusSpan, relations, filter } = props;
  const { project, spanSets } = useProjectLabels();
  const span = content.all.find(({ id }) => id === focusedId);
  const act = writable && span !== undefined;
  const language = documentLanguage(document, project);
  return (
    <>
      <OwnAnnotationsNote project={project} />
      <LabelPanel
        project={labelling.project}
        counts={labelCountsInDocument(document, content)}
        current={span?.label}
        onPick={props.onPick}
        view={{ filter, onFilter: props.onFilter, creators: content.creators, sentences: (document.sentences ?? []).length > 0 }}
      />
      {canHaveRelations(content, spanSets) && (
        <RelationList
          relations={relations.all}
          drawn={relations.drawn}
          spans={content.all}
          text={document.text}
          shown={filter.relations}
          onShown={(shown) => props.onFilter({ ...filter, relations: shown })}
          onJump={relations.onJump}
          onRename={relations.onRename}
        />
      )}
      {span === undefined ? (
        <DocumentFacts project={labelling.project} {...{ document, writable }} />
      ) : (
        <div className={styles['details']}>
          <AnnotationDetails
            span={span}
            spans={content.spans}
            text={document.text}
            characters={content.serializer.apiRange(span)}
            onFocusSpan={onFocusSpan}
            {...(act && {
              onChangeLabel: props.onChangeLabel,
              onAccept: (id: string) => labelling.change(document.identifier, id, { status: 'OK' }),
              onReject: (id: string) => labelling.change(document.identifier, id, { status: 'KO' }),
              onRemove: (id: string) => labelling.remove(document.identifier, id),
              onReshape: (id: string, extent: SpanExtent) =>
                labelling.change(document.identifier, id, content.serializer.apiExtent(extent)),
              onRetry: (id: string) => labelling.retryAnnotation(id),
            })}
          />
          <AnnotationTerms
            project={labelling.project}
            id={span.id}
            linking={props.linking}
            language={language}
            writable={writable}
            onPick={props.onPickTerm}
          />
        </div>
      )}
    </>
  );
}
