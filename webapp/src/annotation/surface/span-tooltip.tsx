/** Label, score and author of the span under the pointer. */
import { use, type ReactNode } from 'react';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { formatScore } from '@/annotation/model';
import type { Span } from '@/annotation/model';
import { PersonContext, useAnnotationStrings } from '@/annotation/strings';

interface SpanTooltipProps {
  readonly span: Span | undefined;
  readonly at: { readonly x: number; readonly y: number };
}

/** Half the width of most tooltips, so that they stay in the window. */
const EDGE = 130;

export function SpanTooltip({ span, at }: SpanTooltipProps): ReactNode {
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const personName = use(PersonContext);
  if (span === undefined) return null;
  const parts = [strings.status[span.status]];
  if (span.score !== undefined) parts.push(strings.scored(formatScore(span.score)));
  if (span.creator !== undefined && span.creator !== '') parts.push(strings.by(personName(span.creator, span)));
  if (span.terms !== undefined) parts.push(strings.linkedTo(span.terms.map(({ name }) => name).join(', ')));
  return (
    <div className="ann-tooltip" role="tooltip" style={{ left: `max(${String(EDGE)}px, ${String(at.x)}px)`, top: at.y }}>
      <strong>{appearanceOf(appearance, span.label).label}</strong> {parts.join(' · ')}
    </div>
  );
}
