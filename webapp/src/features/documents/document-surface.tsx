/** S-009: the text of a document with its annotations, for viewing and editing. */
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import type { LabelCreation } from '@/annotation/labels/label-creation';
import { LabelPicker } from '@/annotation/labels/label-picker';
import { textOfExtent } from '@/annotation/fragments';
import type { TextRange } from '@/annotation/model';
import { AnnotationSurface } from '@/annotation/surface/surface';
import type { RenderPicker } from '@/annotation/surface/surface-types';
import { useSelectionExtension } from '@/blocks/labelling/label-panel';
import { useLabelCreation } from '@/blocks/labelling/use-label-creation';
import { AnnotationTermPicker } from '@/blocks/terms/annotation-term-picker';
import type { LayoutMark } from '@/text/layout';
import styles from './documents.module.css';
import { sentenceCategoriesRenderer } from './sentence-categories';
import type { DocumentAnnotation, ShownDocument, SurfaceRef } from './use-document-annotation';
import type { DocumentDialogs } from './use-document-dialogs';
import type { TextLayers } from './use-text-layers';

interface DocumentSurfaceProps extends ShownDocument, Pick<DocumentDialogs, 'onPropagate' | 'onSimilar' | 'comments'> {
  readonly surface: SurfaceRef;
  readonly annotation: DocumentAnnotation;
  readonly layers: TextLayers;
  /** Absent: plain text. */
  readonly layout: readonly LayoutMark[] | undefined;
  readonly language: string | undefined;
  /** Floats over the text. */
  readonly find: ReactNode;
}

/** Converts ranges to code points, as used by the API. */
const useApiRange = (serializer: DocumentSerializer) => useCallback((range: TextRange) => serializer.apiRange(range), [serializer]);

const labelPickerFor =
  (labels: readonly LabelAppearance[], creation: LabelCreation, onComment: (() => void) | undefined): RenderPicker =>
  ({ pick, close, query, direct, target }) => {
    const comment = () => {
      close();
      onComment?.();
    };
    const offered = target.kind === 'selection' && onComment !== undefined ? comment : undefined;
    return <LabelPicker {...{ labels, direct, creation }} initialQuery={query} onPick={pick} onClose={close} onComment={offered} />;
  };

/** The picker of terms where the surface asks for one, else that of labels. */
const pickerFor =
  (project: string, text: string, { linking, content }: DocumentAnnotation, labelPicker: RenderPicker): RenderPicker =>
  (context) => {
    if (context.terms === undefined) return labelPicker(context);
    const textOf = (id: string): string => {
      const span = content.all.find((one) => one.id === id);
      return span === undefined ? '' : textOfExtent(text, span);
    };
    return <AnnotationTermPicker {...{ project, context, linking, textOf }} />;
  };

/** Not covered by toolbars of spans. */
function DocumentTitle({ title }: { readonly title: string }): ReactNode {
  return (
    <h1 className={styles['document-title']} data-needed>
      {title}
    </h1>
  );
}

export function DocumentSurface(props: DocumentSurfaceProps): ReactNode {
  const { project, document, writable, surface, annotation, layers, layout, language, onPropagate, onSimilar, comments } = props;
  const { labels, spanLabels, categoryNames, labelling, content, marks } = annotation;
  const { t } = useTranslation('documents');
  const [extension] = useSelectionExtension(project, labels.project?.lang);
  const creation = useLabelCreation(project, labels.spanSets);
  const editsSentences = writable && categoryNames.size > 0 && layers.sentences.length > 0;
  const title = document.title ?? document.identifier;
  const labelPicker = labelPickerFor(spanLabels, creation, comments.onComment);
  return (
    <div className={styles['surface']}>
      {props.find}
      <AnnotationSurface
        ref={surface}
        text={document.text}
        segments={layers.segments}
        layout={layout}
        spans={content.spans}
        hits={layers.hits}
        comments={comments.marks}
        onThread={comments.onThread}
        categories={layers.categories}
        alternate={layers.categories.length > 0}
        language={language}
        extension={extension}
        focusedId={annotation.focusedId}
        readOnly={!marks}
        name={t('documentText', { title })}
        header={<DocumentTitle title={title} />}
        onFocusSpan={annotation.setFocusedId}
        onSelection={annotation.setSelection}
        {...(marks && { ...annotation.actions, onPropagate, onComment: comments.onComment })}
        characters={useApiRange(content.serializer)}
        renderSentence={sentenceCategoriesRenderer(editsSentences, layers, document, labelling, onSimilar)}
        relations={annotation.relations.drawn}
        {...(annotation.linksTerms && { terms: { onUnlink: annotation.linking.unlinkLast } })}
        {...(marks && { renderPicker: pickerFor(project, document.text, annotation, labelPicker) })}
      />
    </div>
  );
}
