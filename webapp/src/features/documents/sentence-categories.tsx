import { Ban, Check, CopyPlus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isLocal, type CreateCategoryEdit, type LabellingEdit } from '@/labelling-sync/edits/types';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useLabelCreation } from '@/blocks/labelling/use-label-creation';
import { LabelPicker } from '@/annotation/labels/label-picker';
import type { TextRange } from '@/annotation/model';
import type { RenderSentenceMenu } from '@/annotation/surface/sentence-menu';
import { isSuggestedCategory, type Category } from '@/api/resources/categories';
import type { AnnotatedDocument, DocumentSentence } from '@/api/resources/documents';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import type { PropagateCategoryControl } from './propagate-category-dialog';
import styles from './documents.module.css';

/** Categories of a sentence that are not rejected, with the offsets of the sentence, which the response omits. */
export function categoriesOfSentence(sentence: DocumentSentence): readonly Category[] {
  const { start, end } = sentence;
  return (sentence.categories ?? []).filter(({ status }) => status !== 'KO').map((category) => ({ ...category, start, end }));
}

/** The sentences, including categories that are not saved yet. */
export function withPendingCategories(
  sentences: readonly DocumentSentence[],
  edits: readonly LabellingEdit[],
): readonly DocumentSentence[] {
  const waiting = edits.filter((edit): edit is CreateCategoryEdit => edit.kind === 'category' && edit.body.start !== undefined);
  if (waiting.length === 0) return sentences;
  return sentences.map((sentence) => {
    const own = waiting.filter(({ body }) => body.start === sentence.start && body.end === sentence.end);
    if (own.length === 0) return sentence;
    return { ...sentence, categories: [...(sentence.categories ?? []), ...own.map(({ id, body }) => ({ identifier: id, ...body }))] };
  });
}

/** Adds the category to the sentence, confirms a suggested one, or removes a confirmed one. */
export function toggleSentenceCategory(
  labelling: LabellingEditor,
  document: AnnotatedDocument,
  sentence: DocumentSentence,
  labelName: string,
): void {
  const known = categoriesOfSentence(sentence).find((category) => category.labelName === labelName);
  const { identifier } = document;
  if (known === undefined) {
    const { start, end } = sentence;
    labelling.addCategory({ documentIdentifier: identifier, labelName, status: 'OK', creationMode: 'manual', start, end });
  } else if (isSuggestedCategory(known)) labelling.decideCategory(identifier, known, 'OK');
  else labelling.removeCategory(identifier, known);
}

interface Sentences {
  readonly sentences: readonly DocumentSentence[];
  /** The same segments as those of the surface, UTF-16. */
  readonly segments: readonly TextRange[];
}

/** Renders the menu of a sentence for the surface; undefined where no categories can be assigned. */
export function sentenceCategoriesRenderer(
  active: boolean,
  { sentences, segments }: Sentences,
  document: AnnotatedDocument,
  labelling: LabellingEditor,
  onSimilar?: PropagateCategoryControl['start'],
): RenderSentenceMenu | undefined {
  if (!active) return undefined;
  return ({ start, close }) => {
    const sentence = sentences[segments.findIndex((segment) => segment.start === start)];
    return sentence && <SentenceCategories {...{ document, sentence, labelling, onSimilar }} onClose={close} />;
  };
}

interface SentenceCategoriesProps {
  readonly document: AnnotatedDocument;
  readonly sentence: DocumentSentence;
  readonly labelling: LabellingEditor;
  /** Copies a category to other sentences. */
  readonly onSimilar?: PropagateCategoryControl['start'];
  readonly onClose: () => void;
}

/** S-009: shows and edits the categories of one sentence. */
export function SentenceCategories({ document, sentence, labelling, onSimilar, onClose }: SentenceCategoriesProps): ReactNode {
  const { t } = useTranslation('documents');
  const { categorySets } = useProjectLabels();
  const creation = useLabelCreation(labelling.project, categorySets);
  const known = categoriesOfSentence(sentence);
  const pick = (label: string) => {
    toggleSentenceCategory(labelling, document, sentence, label);
    onClose();
  };
  return (
    <div className={styles['sentence-panel']} role="group" aria-label={t('category.sentence')}>
      {known.length > 0 && (
        <ul>
          {known.map((category) => (
            <SentenceCategory
              key={category.identifier}
              {...{ category, labelling }}
              document={document.identifier}
              onSimilar={
                onSimilar &&
                (() => {
                  onClose();
                  onSimilar(category, sentence);
                })
              }
            />
          ))}
        </ul>
      )}
      {/* However it was opened, the keys of labels give them: there is no text to type in. */}
      <LabelPicker direct labels={categorySets.flatMap((set) => set.labels)} creation={creation} onPick={pick} onClose={onClose} />
    </div>
  );
}

interface SentenceCategoryProps {
  readonly category: Category;
  readonly document: string;
  readonly labelling: LabellingEditor;
  readonly onSimilar: (() => void) | undefined;
}

function SentenceCategory({ category, document, labelling, onSimilar }: SentenceCategoryProps): ReactNode {
  const { t } = useTranslation(['documents', 'edits']);
  const format = useFormat();
  const { nameOf, colourOf } = useProjectLabels();
  const name = nameOf(category.labelName);
  const suggested = isSuggestedCategory(category);
  const score = category.score === undefined || category.score === null ? '' : ` ${format.score(category.score)}`;
  return (
    <li>
      <span className={styles['swatch']} style={{ backgroundColor: colourOf(category.labelName) }} aria-hidden />
      <span className={styles['category-name']}>{name}</span>
      {suggested && <small>{`${t('category.suggested')}${score}`}</small>}
      {suggested && (
        <IconButton
          small
          label={t('category.accept', { name })}
          icon={Check}
          onClick={() => labelling.decideCategory(document, category, 'OK')}
        />
      )}
      {!suggested && onSimilar !== undefined && !isLocal(category.identifier) && (
        <IconButton small label={t('edits:similar.open', { label: name })} icon={CopyPlus} onClick={onSimilar} />
      )}
      {suggested ? (
        <IconButton
          small
          label={t('category.reject', { name })}
          icon={Ban}
          onClick={() => labelling.decideCategory(document, category, 'KO')}
        />
      ) : (
        <IconButton small label={t('category.remove', { name })} icon={X} onClick={() => labelling.removeCategory(document, category)} />
      )}
    </li>
  );
}
