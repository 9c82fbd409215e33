import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictDialog } from '@/blocks/labelling/conflict-dialog';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import { useHotkeysDialog } from './hotkeys-dialog';
import { useEdits } from '@/labelling-sync/edits-store';
import { hasLabelDrawer, useExtension } from '@/blocks/labelling/label-panel';
import { useProjectLabels, type ProjectLabels } from '@/blocks/labelling/project-labels';
import { useAnnotatedText } from '@/blocks/labelling/use-annotated-text';
import type { Labelling } from '@/labelling-sync/labelling';
import { useLabelling } from '@/labelling-sync/use-labelling';
import { targetOf, useFocusedSpan, useLabellingActions } from '@/blocks/labelling/use-labelling-actions';
import { useViewFilter } from '@/blocks/labelling/view-filter';
import { LabelStrip } from '@/annotation/labels/label-drawer';
import { LabelPicker } from '@/annotation/labels/label-picker';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import type { RenderPicker } from '@/annotation/surface/surface-extras';
import type { Target, TextRange } from '@/annotation/model';
import { filterSentences, type SentenceFilter } from '@/annotation/sentence-filter';
import { AnnotationSurface, type SurfaceHandle } from '@/annotation/surface/surface';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import { isSuggestedCategory } from '@/api/resources/categories';
import type { AnnotatedDocument, DocumentHit } from '@/api/resources/documents';
import { Page } from '@/ui/page';
import { notify } from '@/state/notifications-store';
import { useSimilarDialog } from './similar-dialog';
import { CategoriesBar, documentCategories, newDocumentCategory } from './categories-bar';
import { DocumentDrawer } from './document-drawer';
import { DocumentToolbar, type ListPosition } from './document-toolbar';
import styles from './documents.module.css';
import { HintBar } from './hint-bar';
import { HitNavigation } from './hit-navigation';
import { sentenceRenderer, withPendingCategories } from './sentence-categories';
import { useCategoryKeys } from './use-category-keys';
import { useDocumentCommands } from './use-document-commands';
import { useHistoryView } from './use-history-view';
import { useNamedFocus, useRelationView } from './use-relation-view';
import { useTextDisplay } from './use-text-display';
import { usePropagation } from './use-propagation';
import { useSearchSelection } from './use-search-selection';

export interface DocumentViewProps {
  readonly project: string;
  readonly document: AnnotatedDocument;
  readonly language: string | undefined;
  readonly hit: DocumentHit | undefined;
  readonly position: ListPosition;
  readonly writable: boolean;
  readonly listPath: string;
  /** Shows the filters of the search it was found with. */
  readonly onShowFilters: (() => void) | undefined;
  /** Start of the sentence to show, code points; -1: none. */
  readonly sentence: number;
  readonly onMove: (index: number) => void;
  readonly onDownload: () => void;
  readonly onDelete: (() => void) | undefined;
}

const NOTHING: readonly never[] = [];

/** Sentences, their best categories, what was found and the sentence to show, for the surface. */
function useTextLayers(
  document: AnnotatedDocument,
  edits: readonly LabellingEdit[],
  wire: DocumentSerializer,
  hit: DocumentHit | undefined,
  { sentence, filter }: { readonly sentence: number; readonly filter: SentenceFilter },
) {
  const sentences = useMemo(() => withPendingCategories(document.sentences ?? NOTHING, edits), [document.sentences, edits]);
  const segments = useMemo(() => wire.segments(sentences), [wire, sentences]);
  const categories = useMemo(() => {
    const marked = sentences.map(({ start, end, categories: own }) => ({
      start,
      end,
      categories: (own ?? []).map((category) => ({ ...category, suggestion: isSuggestedCategory(category) })),
    }));
    return filterSentences(wire.sentenceCategories(marked), sentences.length, filter);
  }, [wire, sentences, filter]);
  const found = hit?.document.identifier === document.identifier ? (hit.highlights?.text ?? NOTHING) : NOTHING;
  const hits = useMemo(() => {
    const ranges: TextRange[] = found.map(({ start, end }) => wire.range(start, end));
    const at = sentences.find(({ start, end }) => start <= sentence && sentence < end);
    const shown = at && wire.range(at.start, at.end);
    // Words found in the sentence point at it already.
    if (shown === undefined || ranges.some(({ start, end }) => start >= shown.start && end <= shown.end)) return ranges;
    return [...ranges, shown].sort((a, b) => a.start - b.start);
  }, [wire, found, sentences, sentence]);
  return { sentences, segments, categories, hits };
}

/** S-016: shows the sentence of the address, or the first thing found. */
function useReveal(
  surface: { readonly current: SurfaceHandle | null },
  wire: DocumentSerializer,
  sentence: number,
  hits: readonly TextRange[],
): void {
  const first = sentence >= 0 ? wire.range(sentence, sentence).start : hits[0]?.start;
  useEffect(() => {
    if (first !== undefined && first > 0) surface.current?.scrollTo(first);
  }, [surface, first]);
}

/** Labels of spans; names of those of categories. */
function useLabelNames({ spanSets, categorySets }: Pick<ProjectLabels, 'spanSets' | 'categorySets'>) {
  const spanLabels = useMemo(() => spanSets.flatMap(({ labels }) => labels), [spanSets]);
  const categoryNames = useMemo(() => new Set(categorySets.flatMap(({ labels }) => labels.map(({ name }) => name))), [categorySets]);
  return { spanLabels, categoryNames };
}

/** E-053: that the project is read-only stands above the text already. */
const warnReadOnlyCategory = (label: string): void => console.warn(`The project is read-only: no category ${label}`);

/** Gives the document the category, confirms the one suggested, or takes the one it has. */
function useCategoryToggle(document: AnnotatedDocument, labelling: Labelling): (label: string) => void {
  return useCallback(
    (label) => {
      const known = documentCategories(document).find(({ labelName }) => labelName === label);
      if (known === undefined) labelling.addCategory(newDocumentCategory(document.identifier, label));
      else if (isSuggestedCategory(known)) labelling.decideCategory(document.identifier, known, 'OK');
      else labelling.removeCategory(document.identifier, known);
    },
    [document, labelling],
  );
}

/** Places of the text as the API counts them. */
const useCharacters = (wire: DocumentSerializer) => useCallback((range: TextRange) => wire.apiRange(range), [wire]);

/** Bars of spans leave it free. */
function DocumentTitle({ title }: { readonly title: string }): ReactNode {
  return (
    <h1 className={styles['document-title']} data-needed>
      {title}
    </h1>
  );
}

const pickerOf =
  (labels: readonly LabelAppearance[]): RenderPicker =>
  ({ pick, close, query, direct }) => <LabelPicker {...{ labels, direct }} initialQuery={query} onPick={pick} onClose={close} />;

/** S-008, S-009: text, labels, categories of one document. */
export function DocumentView(props: DocumentViewProps): ReactNode {
  const { project, document, writable, position } = props;
  const { t } = useTranslation(['documents', 'labelling', 'relations']);
  const labels = useProjectLabels();
  const surface = useRef<SurfaceHandle>(null);
  const { focusedId, setFocusedId, onNamed: onSpanNamed } = useFocusedSpan();
  const relationFocus = useNamedFocus(onSpanNamed);
  const [selection, setSelection] = useState<TextRange | undefined>(undefined);
  const [filter, setFilter] = useViewFilter(project);
  const [extension] = useExtension(project, labels.project?.lang);
  const labelling = useLabelling(project, relationFocus.onNamed);
  const edits = useEdits(project, document.identifier);
  const content = useAnnotatedText(document.text, 0, document.annotations, edits, filter);
  const relations = useRelationView({ project, document, edits, labelling, writable, shown: filter.relations }, relationFocus, {
    surface,
    spans: content.all,
    focusedSpan: focusedId,
    onFocusSpan: setFocusedId,
  });
  const textDisplay = useTextDisplay(labels.project, project, document, content.serializer, surface);
  const layers = useTextLayers(document, edits, content.serializer, props.hit, { sentence: props.sentence, filter: filter.sentences });
  const past = useHistoryView(project, document.identifier, content.spans, {
    writable,
    onShow: ({ id, start }) => {
      surface.current?.scrollTo(start);
      setFocusedId(id);
    },
  });
  useReveal(surface, content.serializer, props.sentence, layers.hits);
  const actions = useLabellingActions(labelling, document.identifier, content.serializer, setFocusedId);
  const { spanLabels, categoryNames } = useLabelNames(labels);
  const marks = writable && spanLabels.length > 0;

  const toggleCategory = useCategoryToggle(document, labelling);
  useCategoryKeys(writable && spanLabels.length === 0, labels.categorySets, toggleCategory);
  const onLabel = (label: string, target: Target) => (categoryNames.has(label) ? toggleCategory(label) : actions.onLabel(label, target));
  const pick = (label: string) => {
    if (categoryNames.has(label)) return writable ? toggleCategory(label) : warnReadOnlyCategory(label);
    if (!writable) return notify({ type: 'info', message: t('errors:readOnlyProject') });
    const target = targetOf(selection, focusedId);
    if (target === undefined) return notify({ type: 'info', message: t('selectFirst') });
    actions.onLabel(label, target);
    surface.current?.clearSelection();
    setSelection(undefined);
    surface.current?.focus();
  };
  useSearchSelection(document.text, selection);
  const hotkeys = useHotkeysDialog(project);
  useDocumentCommands({
    surface,
    document,
    categorySets: labels.categorySets,
    writable,
    onCategory: toggleCategory,
    onHotkeys: hotkeys.open,
  });
  const similar = useSimilarDialog(project, document, content.serializer, past.undoRedo.notifyDone, writable);
  const renderSentence = sentenceRenderer(
    writable && categoryNames.size > 0 && layers.sentences.length > 0,
    layers,
    document,
    labelling,
    similar.start,
  );
  const propagation = usePropagation(project, document, content.all, past.undoRedo.notifyDone);
  const title = document.title ?? document.identifier;
  const drawer = hasLabelDrawer(labels.project, content.all.length + documentCategories(document).length); // W-017
  return (
    <Page
      screen="document"
      plain
      flush
      onShowFilters={props.onShowFilters}
      toolbar={
        <DocumentToolbar
          position={position}
          listPath={props.listPath}
          labelling={labelling}
          documentIdentifier={document.identifier}
          writable={writable}
          history={past.buttons}
          onMove={props.onMove}
          onDownload={props.onDownload}
          onDelete={props.onDelete}
        >
          {textDisplay.control}
          <HitNavigation hits={layers.hits} onShow={({ start }) => surface.current?.scrollTo(start)} />
        </DocumentToolbar>
      }
      {...(drawer && {
        drawer: (
          <DocumentDrawer
            {...{ document, content, labelling, writable, focusedId, filter, relations }}
            onFilter={setFilter}
            onFocusSpan={setFocusedId}
            onChangeLabel={(id) => surface.current?.relabel(id)}
            onPick={pick}
          />
        ),
        drawerTitle: t('labels'),
        drawerStrip: <LabelStrip labels={[...spanLabels, ...labels.categorySets.flatMap((set) => set.labels)]} onPick={pick} />,
      })}
      {...past.panel}
    >
      <div className={styles['document']} data-quiet={!filter.showOnHover || undefined}>
        <CategoriesBar {...{ document, labelling, writable }} onToggle={toggleCategory} onSimilar={similar.start} />
        <div className={styles['surface']}>
          <AnnotationSurface
            ref={surface}
            text={document.text}
            segments={layers.segments}
            layout={textDisplay.layout}
            spans={content.spans}
            hits={layers.hits}
            categories={layers.categories}
            alternate={layers.categories.length > 0}
            language={props.language}
            extension={extension}
            focusedId={focusedId}
            readOnly={!marks}
            name={t('documentText', { title })}
            header={<DocumentTitle title={title} />}
            onFocusSpan={setFocusedId}
            onSelection={setSelection}
            {...(marks && { ...actions, onLabel, onPropagate: propagation.start })}
            characters={useCharacters(content.serializer)}
            renderSentence={renderSentence}
            relations={relations.drawn}
            {...(marks && { renderPicker: pickerOf(spanLabels) })}
          />
        </div>
        {writable && <HintBar marks={marks} />}
      </div>
      {hotkeys.dialog}
      {propagation.dialog}
      {similar.dialog}
      {past.dialog}
      <ConflictDialog labelling={labelling} documentIdentifier={document.identifier} />
    </Page>
  );
}
