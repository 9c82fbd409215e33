/** Description of a span for screen readers: "Organisation, confirmed, inside Role or title". */
import type { CoveringSpan } from '@/text/span-runs';
import { appearanceOf } from './label-style';
import type { Appearance } from './label-style';
import { formatScore } from '@/annotation/model';
import type { Span } from '@/annotation/model';
import type { AnnotationStrings } from '@/annotation/strings';

export function describeSpan(
  span: Span,
  outer: readonly Span[],
  appearance: Appearance,
  strings: AnnotationStrings,
  continued = false,
): string {
  const parts = [appearanceOf(appearance, span.label).label, strings.status[span.status]];
  if (span.status === 'suggested' && span.score !== undefined) parts.push(strings.scored(formatScore(span.score)));
  if (span.terms !== undefined) parts.push(strings.linkedTo(span.terms.map(({ name }) => name).join(', ')));
  if (outer.length > 0) parts.push(`${strings.inside} ${outer.map(({ label }) => appearanceOf(appearance, label).label).join(', ')}`);
  if (continued) parts.push(strings.continued);
  return parts.join(', ');
}

/** Describes a run by its innermost span; the other spans that cover it are what it lies inside. */
export function describeSpansOfRun(
  covers: readonly CoveringSpan<Span>[],
  appearance: Appearance,
  strings: AnnotationStrings,
): string | undefined {
  const [inner, ...outer] = covers;
  if (inner === undefined) return undefined;
  return describeSpan(
    inner.span,
    outer.map(({ span }) => span),
    appearance,
    strings,
    !inner.first,
  );
}
