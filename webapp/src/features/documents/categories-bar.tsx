import { Ban, Check, CopyPlus, Plus, RotateCcw, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CreateCategoryEdit } from '@/labelling-sync/edits/types';
import { useEdits } from '@/labelling-sync/edits-store';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useLabelCreation } from '@/blocks/labelling/use-label-creation';
import type { LabelSetContent } from '@/annotation/labels/label-drawer-props';
import { appearanceOf } from '@/annotation/drawing/label-style';
import { AddLabelForm } from '@/annotation/labels/add-label-form';
import { LabelTag } from '@/annotation/labels/label-tag';
import { isSuggestedCategory, type Category } from '@/api/resources/categories';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Menu, type MenuEntry } from '@/ui/menu';
import { Button } from '@/ui/button';
import { ShortenedText } from '@/ui/shortened-text';
import { useCan } from '@/state/session-store';
import type { PropagateCategoryControl } from './propagate-category-dialog';
import styles from './documents.module.css';

/** Categories of the whole document that are not rejected. */
export function documentCategories(document: AnnotatedDocument): readonly Category[] {
  return (document.categories ?? []).filter(({ start, status }) => (start === undefined || start === null) && status !== 'KO');
}

export function newDocumentCategory(documentIdentifier: string, labelName: string) {
  return { documentIdentifier, labelName, status: 'OK', creationMode: 'manual' } as const;
}

interface ChipProps {
  readonly label: string;
  readonly suggested?: boolean;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

function CategoryChip({ label, suggested = false, note, children }: ChipProps): ReactNode {
  const { nameOf, appearance } = useProjectLabels();
  const style = appearance.labels.get(label)?.style;
  return (
    <li
      className={styles['category']}
      data-suggested={suggested || undefined}
      style={suggested || style === undefined ? undefined : { backgroundColor: style.fill }}
    >
      {style !== undefined && <span className={styles['swatch']} style={{ backgroundColor: style.bar }} aria-hidden />}
      <span className={styles['category-name']} title={nameOf(label)}>
        <ShortenedText text={nameOf(label)} />
      </span>
      {note !== undefined && <small>{note}</small>}
      {children}
    </li>
  );
}

function ExistingCategory({
  category,
  labelling,
  document,
  writable,
  onSimilar,
}: {
  readonly category: Category;
  readonly labelling: LabellingEditor;
  readonly document: string;
  readonly writable: boolean;
  readonly onSimilar: PropagateCategoryControl['start'];
}): ReactNode {
  const { t } = useTranslation(['documents', 'edits']);
  const mayAll = useCan('annotateCorpus');
  const format = useFormat();
  const { nameOf } = useProjectLabels();
  const suggested = isSuggestedCategory(category);
  const name = nameOf(category.labelName);
  const score = category.score === undefined || category.score === null ? '' : ` ${format.score(category.score)}`;
  return (
    <CategoryChip label={category.labelName} suggested={suggested} note={suggested ? `${t('category.suggested')}${score}` : undefined}>
      {writable && suggested && (
        <>
          <IconButton
            small
            label={t('category.accept', { name })}
            icon={Check}
            onClick={() => labelling.decideCategory(document, category, 'OK')}
          />
          <IconButton
            small
            label={t('category.reject', { name })}
            icon={Ban}
            onClick={() => labelling.decideCategory(document, category, 'KO')}
          />
        </>
      )}
      {mayAll && !suggested && onSimilar !== undefined && (
        <IconButton small label={t('edits:similar.open', { label: name })} icon={CopyPlus} onClick={() => onSimilar(category)} />
      )}
      {writable && !suggested && (
        <IconButton small label={t('category.remove', { name })} icon={X} onClick={() => labelling.removeCategory(document, category)} />
      )}
    </CategoryChip>
  );
}

/** As everywhere else: the short name on its colour, next to the readable one. */
function CategoryName({ label }: { readonly label: string }): ReactNode {
  const { nameOf, appearance } = useProjectLabels();
  return (
    <span className={styles['menu-label']}>
      <span aria-hidden>
        <LabelTag label={appearanceOf(appearance, label)} />
      </span>
      {nameOf(label)}
    </span>
  );
}

function categoryMenuEntries(sets: readonly LabelSetContent[], has: ReadonlySet<string>, add: (label: string) => void): MenuEntry[] {
  return sets.flatMap((set) => [
    ...(sets.length > 1 ? [{ kind: 'title' as const, key: `set/${set.name}`, label: set.label }] : []),
    ...set.labels.map((label) => ({
      key: label.name,
      label: <CategoryName label={label.name} />,
      checked: has.has(label.name),
      onSelect: () => add(label.name),
    })),
  ]);
}

interface AddCategoryProps {
  readonly project: string;
  readonly sets: readonly LabelSetContent[];
  /** Labels that the document has. */
  readonly has: ReadonlySet<string>;
  readonly onToggle: (label: string) => void;
}

/** Gives the document a category of the project, or a new one: in a project without categories the first is made here. */
function AddCategory({ project, sets, has, onToggle }: AddCategoryProps): ReactNode {
  const { t } = useTranslation('documents');
  const { create, refused } = useLabelCreation(project, sets);
  const [adding, setAdding] = useState(false);
  const anyLabel = sets.some(({ labels }) => labels.length > 0);
  if (adding && create !== undefined) {
    const save = async (text: string) => {
      onToggle(await create(text));
      setAdding(false);
    };
    return <AddLabelForm onSave={save} onClose={() => setAdding(false)} />;
  }
  if (!anyLabel && create === undefined) return <small>{refused}</small>;
  if (!anyLabel)
    return (
      <Button small kind="quiet" icon={Plus} onClick={() => setAdding(true)}>
        {t('category.first')}
      </Button>
    );
  const entries = categoryMenuEntries(sets, has, onToggle);
  const creation: MenuEntry = { key: ' new', label: t('category.create'), icon: Plus, onSelect: () => setAdding(true) };
  return (
    <Menu
      label={t('category.add')}
      entries={create === undefined ? entries : [...entries, creation]}
      trigger={(props) => (
        <Button small kind="quiet" icon={Plus} {...props}>
          {t('category.add')}
        </Button>
      )}
    />
  );
}

interface CategoriesBarProps {
  readonly document: AnnotatedDocument;
  readonly labelling: LabellingEditor;
  readonly writable: boolean;
  readonly onToggle: (label: string) => void;
  /** Copies a category to other documents. */
  readonly onSimilar?: PropagateCategoryControl['start'];
}

/** S-009: the categories of the document; suggested ones with a dashed border and their score. */
export function CategoriesBar({ document, labelling, writable, onToggle, onSimilar }: CategoriesBarProps): ReactNode {
  const { t } = useTranslation('documents');
  const { categorySets } = useProjectLabels();
  const edits = useEdits(labelling.project, document.identifier).filter(
    (edit): edit is CreateCategoryEdit => edit.kind === 'category' && edit.body.start === undefined,
  );
  const categories = documentCategories(document);
  if (categorySets.length === 0 && categories.length === 0) return null;
  const has = new Set(categories.map(({ labelName }) => labelName));
  return (
    <div className={styles['categories-bar']}>
      <span className={styles['caption']} id="document-categories">
        {t('category.title')}
      </span>
      <ul aria-labelledby="document-categories">
        {categories.map((category) => (
          <ExistingCategory key={category.identifier} {...{ category, labelling, writable, onSimilar }} document={document.identifier} />
        ))}
        {edits.map((edit) => (
          <CategoryChip
            key={edit.id}
            label={edit.body.labelName}
            note={t(edit.state === 'saving' ? 'labelling:saving' : 'labelling:notSaved')}
          >
            {edit.state !== 'saving' && (
              <>
                <IconButton small label={t('labelling:retry')} icon={RotateCcw} onClick={() => labelling.retryAnnotation(edit.id)} />
                <IconButton
                  small
                  label={t('category.forget')}
                  icon={X}
                  onClick={() => labelling.removeCategory(document.identifier, { identifier: edit.id, labelName: edit.body.labelName })}
                />
              </>
            )}
          </CategoryChip>
        ))}
      </ul>
      {writable && categorySets.length > 0 && <AddCategory project={labelling.project} sets={categorySets} {...{ has, onToggle }} />}
    </div>
  );
}
