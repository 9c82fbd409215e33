import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { TextRange } from '@/annotation/model';
import { useCommands } from '@/ui/command-registry';
import { addressPath } from '@/state/search-address';

const LONGEST = 200;

/** A query for exactly the selected words. */
export const quotedQuery = (text: string): string =>
  `"${text
    .replace(/[\s"\\]+/g, ' ')
    .trim()
    .slice(0, LONGEST)}"`;

/** Searches the segments of the whole corpus for the selected text. */
export function useSearchSelectedText(text: string, selection: TextRange | undefined): void {
  const { t } = useTranslation('keys');
  const navigate = useNavigate();
  useCommands(() => {
    const selectedText = selection === undefined ? '' : text.slice(selection.start, selection.end).trim();
    if (selectedText === '') return [];
    const run = () => void navigate(addressPath('/explore', { query: quotedQuery(selectedText), explicitSubmit: true }));
    return [{ id: 'document.searchSelection', section: 'text', title: t('document.searchSelection'), keys: ['Mod+Shift+F'], run }];
  });
}
