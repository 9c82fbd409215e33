/** What a change of the history says, in the language of the studio. */
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/annotation/connected/project-labels';
import type { HistoryEntry, HistoryFields } from '@/api/resources/history';

const LONGEST = 60;
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const LABELLED = new Set(['annotation', 'category', 'relation']);

export interface EntryWords {
  /** One line: what was done to what. */
  readonly title: (entry: HistoryEntry) => string;
  /** What is different: before and after. */
  readonly changes: (entry: HistoryEntry) => readonly string[];
  readonly state: (fields: HistoryFields | undefined) => readonly string[];
}

export function useEntryWords(): EntryWords {
  const { t } = useTranslation(['history', 'search']);
  const { nameOf } = useProjectLabels();
  const quoted = ({ text }: HistoryFields) => (text === undefined ? '' : t('quoted', { text: cut(text) }));
  const status = (value: unknown) => t(`search:status.${typeof value === 'string' ? value : 'undefined'}`);
  const label = ({ labelName }: HistoryFields) => (labelName === undefined || labelName === '' ? t('unknownLabel') : nameOf(labelName));

  const title = (entry: HistoryEntry): string => {
    if (!LABELLED.has(entry.entity)) return t([`other.${entry.entity}.${entry.action}`, 'other.any'], { action: entry.action });
    const fields = entry.after ?? entry.before ?? {};
    const what = [label(fields), quoted(fields)].filter(Boolean).join(' ');
    return t([`action.${entry.action}`, 'other.any'], { what, action: entry.action });
  };

  const changes = ({ entity, before, after }: HistoryEntry): readonly string[] => {
    if (before === undefined || after === undefined) return [];
    if (!LABELLED.has(entity)) return [];
    const lines: string[] = [];
    const between = (from: string, to: string) => from !== to && lines.push(t('fromTo', { from, to }));
    between(label(before), label(after));
    if (before.start !== after.start || before.end !== after.end)
      between(quoted(before) || t('wholeDocument'), quoted(after) || t('wholeDocument'));
    between(status(before.status), status(after.status));
    return lines;
  };

  const state = (fields: HistoryFields | undefined): readonly string[] =>
    fields === undefined ? [t('gone')] : [fields.text, label(fields), status(fields.status)].filter((line): line is string => !!line);

  return { title, changes, state };
}
