/** Filters labels by the user's input: matches at word starts first, then anywhere, ignoring case and accents. */
import { foldCaseAndAccents } from '@/text/fold-accents';
import type { LabelAppearance } from '@/annotation/drawing/label-style';

/** Matching labels, best first; all of them, in order, for an empty query. */
export function matchLabels<T extends LabelAppearance>(labels: readonly T[], query: string): T[] {
  const wanted = foldCaseAndAccents(query.trim());
  if (wanted === '') return [...labels];
  return labels
    .map((label, order) => ({ label, order, rank: rankOf(label, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || a.order - b.order)
    .map(({ label }) => label);
}

function rankOf(label: LabelAppearance, wanted: string): number {
  const name = foldCaseAndAccents(label.label);
  if (name.startsWith(wanted) || foldCaseAndAccents(label.tag) === wanted) return 3;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 2;
  return name.includes(wanted) || foldCaseAndAccents(label.name).includes(wanted) || foldCaseAndAccents(label.tag).includes(wanted) ? 1 : 0;
}

/** Range of the match in the readable name; undefined when it matched elsewhere or folding changed the length. */
export function matchRange(label: string, query: string): { start: number; end: number } | undefined {
  const wanted = foldCaseAndAccents(query.trim());
  const folded = foldCaseAndAccents(label);
  if (wanted === '' || folded.length !== label.length) return undefined;
  const at = folded.search(new RegExp(`(^|[^\\p{L}\\p{N}])${escapeRegExp(wanted)}`, 'u'));
  const start = at < 0 ? folded.indexOf(wanted) : folded.indexOf(wanted, at);
  return start < 0 ? undefined : { start, end: start + wanted.length };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');
}
