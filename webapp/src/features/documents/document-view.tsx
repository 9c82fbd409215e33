import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LabelStrip } from '@/annotation/labels/label-drawer';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';
import type { BulkSearch } from '@/api/resources/bulk-actions';
import type { DocumentHit } from '@/api/resources/documents';
import { hasLabelDrawer } from '@/blocks/labelling/label-panel';
import { Page } from '@/ui/page';
import { CategoriesBar, documentCategories } from './categories-bar';
import { DocumentDrawer } from './document-drawer';
import { DocumentSurface } from './document-surface';
import { DocumentToolbar, type ListPosition } from './document-toolbar';
import { FindBar } from './find-bar';
import styles from './documents.module.css';
import { KeyHintBar } from './key-hint-bar';
import { HitNavigation } from './hit-navigation';
import { useDocumentAnnotation, type ShownDocument } from './use-document-annotation';
import { useDocumentCommands } from './use-document-commands';
import { useDocumentDialogs } from './use-document-dialogs';
import { useDocumentReview } from './use-document-review';
import { useFind } from './use-find';
import { useTextDisplay } from './use-text-display';
import { useScrollToSentenceOrHit, useTextLayers } from './use-text-layers';

export interface DocumentViewProps extends ShownDocument {
  readonly language: string | undefined;
  readonly hit: DocumentHit | undefined;
  readonly position: ListPosition;
  /** The search that found the document; undefined: all documents. */
  readonly search: BulkSearch | undefined;
  readonly listPath: string;
  /** Shows the filters of the search that found the document. */
  readonly onShowFilters: (() => void) | undefined;
  /** Start of the sentence to show, code points; -1: none. */
  readonly sentence: number;
  /** End of what to show, code points; -1: the whole sentence. */
  readonly sentenceEnd: number;
  readonly onMove: (index: number) => void;
  readonly onDownload: () => void;
  readonly onDelete: (() => void) | undefined;
}

/** S-008, S-009: text, labels, categories of one document. */
export function DocumentView(props: DocumentViewProps): ReactNode {
  const { project, document, writable, sentence, sentenceEnd } = props;
  const { t } = useTranslation(['documents', 'labelling', 'relations']);
  const surface = useRef<SurfaceHandle>(null);
  const annotation = useDocumentAnnotation(props, surface);
  const { labels, labelling, content, filter, focusedId, relations, pick, toggleCategory } = annotation;
  const textDisplay = useTextDisplay(labels.project, project, document, content.serializer, surface);
  const layers = useTextLayers(document, annotation.edits, content.serializer, props.hit, {
    sentence,
    sentenceEnd,
    filter: filter.sentences,
  });
  const find = useFind(document.text, annotation.selection, surface);
  const { history, comments, dialogs, ...starters } = useDocumentDialogs(props, annotation, surface);
  const { onSimilar, onHotkeys } = starters;
  const review = useDocumentReview(props);
  useScrollToSentenceOrHit(surface, content.serializer, sentence, layers.hits);
  useDocumentCommands({ surface, document, categorySets: labels.categorySets, writable, onCategory: toggleCategory, onHotkeys });
  const drawer = hasLabelDrawer(labels.project, content.all.length + documentCategories(document).length); // W-017
  const stripLabels = [...annotation.spanLabels, ...labels.categorySets.flatMap((set) => set.labels)];
  return (
    <Page
      screen="document"
      plain
      flush
      onShowFilters={props.onShowFilters}
      toolbar={
        <DocumentToolbar
          {...{ labelling, writable }}
          position={props.position}
          listPath={props.listPath}
          documentIdentifier={document.identifier}
          history={history.buttons}
          review={review}
          comments={comments.button}
          onMove={props.onMove}
          onDownload={props.onDownload}
          onDelete={props.onDelete}
        >
          {textDisplay.control}
          {!find.open && <HitNavigation hits={layers.hits} onShow={({ start }) => surface.current?.scrollTo(start)} />}
        </DocumentToolbar>
      }
      {...(drawer && {
        drawer: (
          <DocumentDrawer
            {...{ document, content, labelling, writable, focusedId, filter, relations }}
            onFilter={annotation.setFilter}
            onFocusSpan={annotation.setFocusedId}
            onChangeLabel={(id) => surface.current?.relabel(id)}
            onPick={pick}
            linking={annotation.linking}
            onPickTerm={annotation.linksTerms ? (id, purpose) => surface.current?.pickTerm(id, purpose) : undefined}
          />
        ),
        drawerTitle: t('labels'),
        drawerStrip: <LabelStrip labels={stripLabels} onPick={pick} />,
      })}
      {...(comments.panel ?? history.panel)}
    >
      <div className={styles['document']} data-quiet={!filter.showOnHover || undefined}>
        <CategoriesBar {...{ document, labelling, writable, onSimilar }} onToggle={toggleCategory} />
        <DocumentSurface
          {...{ project, document, writable, surface, annotation, onSimilar, comments }}
          layers={find.hits === undefined ? layers : { ...layers, hits: find.hits }}
          find={<FindBar find={find} onLabelAll={starters.onLabelAll} />}
          layout={textDisplay.layout}
          language={props.language}
          onPropagate={starters.onPropagate}
        />
        {writable && <KeyHintBar marks={annotation.marks} />}
      </div>
      {dialogs}
    </Page>
  );
}
