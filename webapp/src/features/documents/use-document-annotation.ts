/** Annotating one document: its annotations with unsaved edits on top, the selection or focus, and the effect of picking a label. */
import { useCallback, useMemo, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabellingTarget, TextRange } from '@/annotation/model';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';
import { isSuggestedCategory } from '@/api/resources/categories';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { useProjectLabels, type ProjectLabels } from '@/blocks/labelling/project-labels';
import { useAnnotatedText } from '@/blocks/labelling/use-annotated-text';
import { labellingTarget, useFocusedSpan, useLabellingActions } from '@/blocks/labelling/use-labelling-actions';
import { useViewFilter } from '@/blocks/labelling/view-filter';
import { useLinkableTerms } from '@/blocks/terms/use-project-terms';
import { useTermLinking } from '@/blocks/terms/use-term-linking';
import { useEdits } from '@/labelling-sync/edits-store';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { useLabellingEditor } from '@/labelling-sync/use-labelling-editor';
import { notify } from '@/state/notifications-store';
import { documentCategories, newDocumentCategory } from './categories-bar';
import { useCategoryHotkeys } from './use-category-hotkeys';
import { useRelationFocusWithServerIds, useRelationView } from './use-relation-view';
import { useSearchSelectedText } from './use-search-selected-text';

/** The displayed document, and whether the user may change it. */
export interface ShownDocument {
  readonly project: string;
  readonly document: AnnotatedDocument;
  readonly writable: boolean;
}

export type SurfaceRef = RefObject<SurfaceHandle | null>;
export type DocumentAnnotation = ReturnType<typeof useDocumentAnnotation>;

/** Labels of spans; names of category labels. */
function useSpanLabelsAndCategoryNames({ spanSets, categorySets }: Pick<ProjectLabels, 'spanSets' | 'categorySets'>) {
  const spanLabels = useMemo(() => spanSets.flatMap(({ labels }) => labels), [spanSets]);
  const categoryNames = useMemo(() => new Set(categorySets.flatMap(({ labels }) => labels.map(({ name }) => name))), [categorySets]);
  return { spanLabels, categoryNames };
}

/** E-053: only logged, as the screen already shows that the project is read-only. */
const warnReadOnlyCategory = (label: string): void => console.warn(`The project is read-only: no category ${label}`);

/** Adds the category to the document, confirms a suggested one, or removes a confirmed one. */
function useCategoryToggle(document: AnnotatedDocument, labelling: LabellingEditor): (label: string) => void {
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

export function useDocumentAnnotation({ project, document, writable }: ShownDocument, surface: SurfaceRef) {
  const { t } = useTranslation('documents');
  const labels = useProjectLabels();
  const { spanLabels, categoryNames } = useSpanLabelsAndCategoryNames(labels);
  const { focusedId, setFocusedId, onNamed: onSpanNamed } = useFocusedSpan();
  const relationFocus = useRelationFocusWithServerIds(onSpanNamed);
  const [selection, setSelection] = useState<TextRange | undefined>(undefined);
  const [filter, setFilter] = useViewFilter(project);
  const labelling = useLabellingEditor(project, relationFocus.onNamed);
  const edits = useEdits(project, document.identifier);
  const content = useAnnotatedText(document.text, 0, document.annotations, edits, filter);
  const relations = useRelationView({ project, document, edits, labelling, writable, shown: filter.relations }, relationFocus, {
    surface,
    spans: content.all,
    focusedSpan: focusedId,
    onFocusSpan: setFocusedId,
  });
  const actions = useLabellingActions(labelling, document.identifier, content.serializer, setFocusedId);
  const linking = useTermLinking(labelling, document.identifier, content.termsOf);
  const linkable = useLinkableTerms(project);
  const toggleCategory = useCategoryToggle(document, labelling);
  useCategoryHotkeys(writable && spanLabels.length === 0, labels.categorySets, toggleCategory);
  useSearchSelectedText(document.text, selection);

  const onLabel = (label: string, target: LabellingTarget) =>
    categoryNames.has(label) ? toggleCategory(label) : actions.onLabel(label, target);
  /** Applies a label of the drawer to the selection or focused span, or toggles a category of the document. */
  const pick = (label: string) => {
    if (categoryNames.has(label)) return writable ? toggleCategory(label) : warnReadOnlyCategory(label);
    if (!writable) return notify({ type: 'info', message: t('errors:readOnlyProject') });
    const target = labellingTarget(selection, focusedId);
    if (target === undefined) return notify({ type: 'info', message: t('selectFirst') });
    actions.onLabel(label, target);
    surface.current?.clearSelection();
    setSelection(undefined);
    surface.current?.focus();
  };
  return {
    ...{ labels, spanLabels, categoryNames, labelling, edits, content, relations, linking },
    ...{ focusedId, setFocusedId, selection, setSelection, filter, setFilter, toggleCategory, pick },
    actions: { ...actions, onLabel },
    /** Whether spans can be annotated. */
    marks: writable && labels.takesSpans,
    /** Whether annotations can be linked to terms. */
    linksTerms: writable && labels.takesSpans && linkable,
  };
}
