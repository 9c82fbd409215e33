/**
 * The arcs of one row, in the space its lines leave above them. Below the text in stacking order, so that clicks and selections reach the
 * text.
 */
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { drawRelationArcs } from './relation-paths';
import type { Box, DrawnRelationArc, RelationEndBoxes } from './relation-paths';
import { FAINT_FROM } from './relations';
import type { RelationStyle, RowRelations } from './relations';
import type { PlacedSpan } from '@/annotation/drawing/items-by-row';
import './relations.css';

interface RelationLayerProps {
  readonly links: RowRelations;
  /** Spans of the row, on which the arcs end. */
  readonly placed: readonly PlacedSpan[];
  /** Ids of highlighted relations, separated by spaces. */
  readonly active: string;
  readonly styleOf: (name: string) => RelationStyle;
  readonly rtl: boolean;
  /** Pixels per unit of the surface. */
  readonly unit: number;
}

const NONE: readonly DrawnRelationArc[] = [];
const NEAR = 1.5;

/** Boxes of a span; adjacent runs on the same line are merged. */
function boxesOfSpan(row: HTMLElement, id: string, origin: DOMRect): Box[] {
  const runs = row.querySelectorAll(`[data-spans~="${id.replace(/["\\]/gu, '\\$&')}"]`);
  const boxes: Box[] = [];
  for (const { left, right, top, width } of [...runs].flatMap((run) => [...run.getClientRects()])) {
    if (width === 0) continue;
    const at = boxes.findIndex(
      (box) =>
        Math.abs(box.top + origin.top - top) < NEAR && left <= box.right + origin.left + NEAR && right >= box.left + origin.left - NEAR,
    );
    const box = { left: left - origin.left, right: right - origin.left, top: top - origin.top };
    const known = boxes[at];
    if (known === undefined) boxes.push(box);
    else boxes[at] = { left: Math.min(known.left, box.left), right: Math.max(known.right, box.right), top: known.top };
  }
  return boxes;
}

const SAME_LINE = 6;

/** Number of arc lanes a line has room for: its spans made it that much taller. */
function createLaneCounter(boxes: readonly RelationEndBoxes[], rises: RowRelations['rises']): (top: number) => number {
  const lines = boxes.flatMap(({ link, source, target }) => [
    ...source.map(({ top }) => ({ top, lanes: rises.get(link.relation.source) ?? 1 })),
    ...target.map(({ top }) => ({ top, lanes: rises.get(link.relation.target) ?? 1 })),
  ]);
  return (y) => Math.max(1, ...lines.filter(({ top }) => Math.abs(top - y) < SAME_LINE).map(({ lanes }) => lanes));
}

/** Aligns the number of a sentence with its first line, which may be taller. */
function alignSentenceNumbers(row: HTMLElement): void {
  const range = row.ownerDocument.createRange();
  for (const segment of row.querySelectorAll<HTMLElement>('.ann-segment[data-number]')) {
    const text = segment.querySelector('[data-start]');
    const first = text?.ownerDocument.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode();
    if (first === null || first === undefined) continue;
    range.setStart(first, 0);
    range.setEnd(first, 1);
    const top = range.getClientRects?.()[0]?.top;
    if (top !== undefined) segment.style.setProperty('--ann-first', `${String(Math.round(top - segment.getBoundingClientRect().top))}px`);
  }
}

function measureRelationArcs(layer: HTMLElement, { links, rises }: RowRelations, rtl: boolean, unit: number): readonly DrawnRelationArc[] {
  const row = layer.parentElement;
  const text = row?.querySelector('[data-start]');
  if (row === null || text === null || text === undefined) return NONE;
  const origin = layer.getBoundingClientRect();
  const { left, right } = text.getBoundingClientRect();
  const boxes = links.map((link) => ({
    link,
    source: link.sourceInRow ? boxesOfSpan(row, link.relation.source, origin) : [],
    target: link.targetInRow ? boxesOfSpan(row, link.relation.target, origin) : [],
  }));
  alignSentenceNumbers(row);
  const frame = { left: left - origin.left, right: right - origin.left, rtl, unit, lanesAt: createLaneCounter(boxes, rises) };
  return drawRelationArcs(boxes, frame);
}

export const RelationLayer = memo(function RelationLayer({ links, placed, active, styleOf, rtl, unit }: RelationLayerProps): ReactNode {
  const layer = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(NONE);
  useLayoutEffect(() => {
    const element = layer.current;
    if (element === null) return undefined;
    const draw = (): void => setDrawn(measureRelationArcs(element, links, rtl, unit));
    draw();
    // Lines break again when the width changes or the fonts have loaded.
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [links, placed, rtl, unit]);
  const looked = new Set(active === '' ? [] : active.split(' '));
  const byId = new Map(links.links.map(({ relation }) => [relation.id, relation]));
  const faint = links.links.length >= FAINT_FROM || (looked.size > 0 && links.links.some(({ relation }) => looked.has(relation.id)));
  return (
    <div ref={layer} className="ann-relations" aria-hidden="true" data-faint={faint || undefined}>
      {drawn.map((link) => {
        const relation = byId.get(link.id);
        if (relation === undefined) return null;
        const style = styleOf(relation.name);
        return (
          <DrawnRelation
            key={link.id}
            link={link}
            active={looked.has(link.id)}
            status={relation.status}
            style={style}
            quiet={links.links.length >= FAINT_FROM || link.crowded}
          />
        );
      })}
    </div>
  );
});

interface DrawnRelationProps {
  readonly link: DrawnRelationArc;
  readonly active: boolean;
  readonly status: 'saved' | 'saving' | 'failed';
  readonly style: RelationStyle;
  /** Its name is only shown while it is highlighted. */
  readonly quiet: boolean;
}

function DrawnRelation({ link, active, status, style, quiet }: DrawnRelationProps): ReactNode {
  const colours = { '--ann-line': style.line, '--ann-ink': style.ink } as CSSProperties;
  return (
    <div className="ann-relation" style={colours} data-active={active || undefined} data-status={status}>
      <svg className="ann-arcs" data-relation={link.id} data-away={link.away}>
        {link.paths.map((path) => (
          <g key={path}>
            <path className="ann-arc-hit" d={path} />
            <path className="ann-arc" d={path} />
          </g>
        ))}
        {link.arrows.map((arrow) => (
          <path key={arrow} className="ann-arrow" d={arrow} />
        ))}
      </svg>
      {(active || !quiet) &&
        link.names.map(({ text, left, top, width, jump }) => (
          <span
            key={`${text} ${String(left)}`}
            className="ann-arc-name"
            data-relation={link.id}
            data-jump={jump}
            data-away={link.away}
            style={{ left, top, width }}
            dir="auto"
          >
            {text}
          </span>
        ))}
    </div>
  );
}
