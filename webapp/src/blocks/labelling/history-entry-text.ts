/** Describes a history entry in the language of the web app. */
import { useTranslation } from 'react-i18next';
import type { HistoryEntry, HistoryFields } from '@/api/resources/history';
import { useProjectLabels } from './project-labels';

const LONGEST = 60;
const truncated = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const LABELLED = new Set(['annotation', 'category']);
const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

export interface HistoryEntryTexts {
  /** One line: the operation and its object. */
  readonly title: (entry: HistoryEntry) => string;
  /** The differences between before and after. */
  readonly changes: (entry: HistoryEntry) => readonly string[];
  readonly state: (fields: HistoryFields | undefined) => readonly string[];
}

export function useHistoryEntryTexts(): HistoryEntryTexts {
  const { t } = useTranslation(['history', 'search']);
  const { nameOf } = useProjectLabels();
  const quoted = ({ text, fragmentsText }: HistoryFields) => {
    const shown = Array.isArray(fragmentsText) ? fragmentsText.join(' … ') : text;
    return shown === undefined ? '' : t('quoted', { text: truncated(shown) });
  };
  const ends = ({ sourceText, targetText }: HistoryFields) =>
    t('fromTo', { from: truncated(stringOrEmpty(sourceText)), to: truncated(stringOrEmpty(targetText)) });
  const status = (value: unknown) => t(`search:status.${typeof value === 'string' ? value : 'undefined'}`);
  const label = ({ labelName }: HistoryFields) => (labelName === undefined || labelName === '' ? t('unknownLabel') : nameOf(labelName));

  const relation = (fields: HistoryFields) => t('relation', { name: stringOrEmpty(fields['name']), ends: ends(fields) });

  const title = (entry: HistoryEntry): string => {
    const related = entry.after ?? entry.before ?? {};
    if (entry.entity === 'relation') return t([`action.${entry.action}`, 'other.any'], { what: relation(related), action: entry.action });
    const named = () => [label(related), quoted(related)].filter(Boolean).join(' ');
    if (!LABELLED.has(entry.entity)) {
      const what = entry.entity === 'suggestion' ? named() : '';
      return t([`other.${entry.entity}.${entry.action}`, 'other.any'], { what, action: entry.action });
    }
    const what = named();
    return t([`action.${entry.action}`, 'other.any'], { what, action: entry.action });
  };

  const changes = ({ entity, before, after }: HistoryEntry): readonly string[] => {
    if (before === undefined || after === undefined) return [];
    const lines: string[] = [];
    const between = (from: string, to: string) => from !== to && lines.push(t('fromTo', { from, to }));
    if (entity === 'relation') between(relation(before), relation(after));
    if (!LABELLED.has(entity)) return lines;
    between(label(before), label(after));
    if (before.start !== after.start || before.end !== after.end || quoted(before) !== quoted(after))
      between(quoted(before) || t('wholeDocument'), quoted(after) || t('wholeDocument'));
    between(status(before.status), status(after.status));
    return lines;
  };

  const state = (fields: HistoryFields | undefined): readonly string[] =>
    fields === undefined
      ? [t('gone')]
      : 'source' in fields
        ? [relation(fields)]
        : [fields.text, label(fields), status(fields.status)].filter((line): line is string => !!line);

  return { title, changes, state };
}
