import { useTranslation } from 'react-i18next';
import type { LabelSetContent } from '@/annotation/labels/label-drawer-props';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';
import { isSuggestedCategory } from '@/api/resources/categories';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { useCommands, type Command } from '@/ui/command-registry';
import { openPalette } from '@/ui/palette-store';
import { documentCategories } from './categories-bar';

interface DocumentCommands {
  readonly surface: { readonly current: SurfaceHandle | null };
  readonly document: AnnotatedDocument;
  /** Sets whose labels are categories; empty: no categories can be assigned. */
  readonly categorySets: readonly LabelSetContent[];
  readonly writable: boolean;
  readonly onCategory: (label: string) => void;
  readonly onHotkeys: () => void;
}

/** Commands of the document outside its text: categories by keyboard, focusing the text, label hotkeys. */
export function useDocumentCommands(input: DocumentCommands): void {
  const { t } = useTranslation('keys');
  const { surface, document, categorySets, writable } = input;

  const chooseCategory = () => {
    const has = new Map(documentCategories(document).map((category) => [category.labelName, category]));
    const commands = categorySets
      .flatMap(({ labels }) => labels)
      .map((label): Command => {
        const known = has.get(label.name);
        const checked = known !== undefined && !isSuggestedCategory(known);
        const key = label.hotkey === undefined || label.hotkey === '' ? {} : { keys: [label.hotkey.toUpperCase()] };
        return { id: label.name, section: 'labels', title: label.label, checked, ...key, run: () => input.onCategory(label.name) };
      });
    openPalette({ title: t('document.documentCategory'), commands });
  };

  useCommands(() => {
    const toCommand = (id: string, section: Command['section'], run: () => void, keys: readonly string[] = []): Command => ({
      id: `document.${id}`,
      section,
      title: t(`document.${id}`),
      keys,
      run,
    });
    const editSentence = () => {
      const { current } = surface;
      current?.editSentence(current.sentence().start);
    };
    return [
      toCommand('text', 'text', () => surface.current?.focus(), ['T']),
      ...(writable && categorySets.length > 0
        ? [
            toCommand('documentCategory', 'labels', chooseCategory, ['Shift+C']),
            toCommand('sentenceCategory', 'labels', editSentence, ['C']),
          ]
        : []),
      ...(writable ? [toCommand('hotkeys', 'labels', input.onHotkeys)] : []),
    ];
  });
}
