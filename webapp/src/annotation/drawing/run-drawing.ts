/**
 * CSS of a run: fills, bars and rings are background layers, so nothing is inserted into the text. Lengths are in `--ann-u` (1 px at 15
 * px).
 */
import type { CSSProperties } from 'react';
import type { CoveringSpan, Run } from '@/text/span-runs';
import { ROLE, appearanceOf } from './label-style';
import type { Appearance, LabelStyle } from './label-style';
import type { Span } from '@/annotation/model';

/** Deeper lanes collapse into a `+n` tag. */
export const MAX_LANES = 4;
const BOX = 20;
const LANE = 14;

export interface RunHighlights {
  readonly focusedId?: string | undefined;
  readonly hoveredId?: string | undefined;
  /** Spans at the ends of a highlighted relation. */
  readonly linked: readonly string[];
  readonly hit: boolean;
  /** It belongs to the match that the reader is at, and starts or ends it. */
  readonly currentHit?: { readonly first: boolean; readonly last: boolean } | undefined;
  readonly selected: boolean;
  /** The selection starts or ends with this run. */
  readonly selectionStart: boolean;
  readonly selectionEnd: boolean;
  readonly caret: boolean;
}

interface Layer {
  readonly image: string;
  /** x, y, width, height; numbers in units, text as CSS. */
  readonly box: readonly [string, number, string, number | string];
  readonly repeat?: 'repeat-x' | undefined;
}

export function scaledLength(count: number | string): string {
  return `calc(${String(count)} * var(--ann-u))`;
}

function solidBackground(colour: string): string {
  return `linear-gradient(${colour}, ${colour})`;
}

function fullWidthLayer(image: string, top = 0, height: number | string = BOX): Layer {
  return { image, box: ['0', top, '100%', height] };
}

/** Number of lanes the line needs under this run. */
export function laneCountOfRun(run: Run<Span>): number {
  return Math.min(MAX_LANES, Math.max(0, ...run.covers.map(({ lane }) => lane + 1), ...run.gapOf.map(({ lane }) => lane + 1)));
}

export function isRejected(span: Span): boolean {
  return span.status === 'rejected' || span.change === 'removed';
}

function fillLayersOfRun(run: Run<Span>, appearance: Appearance, active: boolean): Layer[] {
  const owner = run.covers.find(({ span }) => span.status !== 'suggested' && !isRejected(span)) ?? (active ? run.covers[0] : undefined);
  if (owner === undefined || isRejected(owner.span)) return [];
  const style = appearanceOf(appearance, owner.span.label).style;
  const colour = active ? style.strong : style.fill;
  if (owner.span.status === 'saving') return [fullWidthLayer(`repeating-linear-gradient(135deg, ${colour} 0 5px, transparent 5px 10px)`)];
  return [...(appearance.reinforced ? textureLayers(style) : []), fullWidthLayer(solidBackground(colour))];
}

/** Textures of the reinforced distinction: light plain, mid hatched, deep dotted. */
function textureLayers(style: LabelStyle): Layer[] {
  if (style.texture === 'hatched') return [fullWidthLayer(`repeating-linear-gradient(45deg, transparent 0 5px, ${style.strong} 5px 7px)`)];
  if (style.texture !== 'dotted') return [];
  const image = `radial-gradient(circle, ${style.strong} 1.2px, transparent 1.4px)`;
  return [0, 5, 10, 15].map((top) => ({ image, box: ['0', top, '5px', 5], repeat: 'repeat-x' }));
}

function barLayerOfSpan(cover: CoveringSpan<Span>, appearance: Appearance): Layer {
  const { span, lane } = cover;
  const top = BOX + LANE * lane;
  if (isRejected(span)) {
    return fullWidthLayer(`repeating-linear-gradient(90deg, ${ROLE.text3} 0 2px, transparent 2px 5px)`, top, 2);
  }
  const { bar } = appearanceOf(appearance, span.label).style;
  if (span.status === 'suggested') return fullWidthLayer(`repeating-linear-gradient(90deg, ${bar} 0 5px, transparent 5px 8px)`, top, 2);
  return fullWidthLayer(solidBackground(bar), top, appearance.reinforced ? 4 : 3);
}

const KNOB = 7;

/** A dot at the end of the bar of a span that is linked to terms: drawn in the background, so that no text moves. */
function termKnobLayer({ span, lane }: CoveringSpan<Span>, appearance: Appearance, rtl: boolean): Layer {
  const colour = isRejected(span) ? ROLE.text3 : appearanceOf(appearance, span.label).style.bar;
  const image = `radial-gradient(circle closest-side, ${colour} 85%, transparent)`;
  return { image, box: [rtl ? '0' : '100%', BOX - 2 + LANE * lane, scaledLength(KNOB), KNOB] };
}

const endsLinked = ({ span, lane, last }: CoveringSpan<Span>): boolean => last && span.terms !== undefined && lane < MAX_LANES;

/** A thin dashed line between two fragments of a span, in its lane. */
function gapLineLayer({ span, lane }: Run<Span>['gapOf'][number], appearance: Appearance, active: boolean): Layer {
  const colour = isRejected(span) ? ROLE.text3 : appearanceOf(appearance, span.label).style.bar;
  return fullWidthLayer(
    `repeating-linear-gradient(90deg, ${colour} 0 3px, transparent 3px 7px)`,
    BOX + 1 + LANE * lane,
    active ? '2px' : '1px',
  );
}

/** A box around the text: left and right edges only where the boxed range starts and ends. */
function boxOutlineLayers(colour: string, width: number, left: boolean, right: boolean): Layer[] {
  const image = solidBackground(colour);
  const thick = `${String(width)}px`;
  const layers: Layer[] = [fullWidthLayer(image, 0, thick), { image, box: ['0', BOX - width, '100%', thick] }];
  if (left) layers.push({ image, box: ['0', 0, thick, BOX] });
  if (right) layers.push({ image, box: ['100%', 0, thick, BOX] });
  return layers;
}

function highlightOutlineLayers(run: Run<Span>, layers: RunHighlights, rtl: boolean): Layer[] {
  const sides = (first: boolean, last: boolean): [boolean, boolean] => (rtl ? [last, first] : [first, last]);
  const found: Layer[] = [];
  const focused = run.covers.find(({ span }) => span.id === layers.focusedId);
  if (focused !== undefined) found.push(...boxOutlineLayers(ROLE.ring, 2, ...sides(focused.fragmentFirst, focused.fragmentLast)));
  const linked = run.covers.find(({ span }) => layers.linked.includes(span.id) && span.id !== layers.focusedId);
  if (linked !== undefined) found.push(...boxOutlineLayers(ROLE.primary, 1, ...sides(linked.fragmentFirst, linked.fragmentLast)));
  if (layers.selected) {
    found.push(...boxOutlineLayers(ROLE.ring, 1, ...sides(layers.selectionStart, layers.selectionEnd)));
    found.push(fullWidthLayer(solidBackground(`color-mix(in srgb, ${ROLE.primary} 24%, transparent)`)));
  }
  if (layers.currentHit !== undefined)
    found.push(...boxOutlineLayers(ROLE.hitText, 2, ...sides(layers.currentHit.first, layers.currentHit.last)));
  if (layers.caret) found.push({ image: solidBackground(ROLE.ring), box: ['0', BOX - 2, '100%', '2px'] });
  const failed = run.covers.find(({ span }) => span.status === 'failed');
  if (failed !== undefined) found.push(...boxOutlineLayers(ROLE.error, 2, ...sides(failed.fragmentFirst, failed.fragmentLast)));
  return found;
}

/** Inline style of a run; top layers first, as CSS requires. */
export function runStyle(run: Run<Span>, layers: RunHighlights, appearance: Appearance, rtl: boolean): CSSProperties {
  const isActive = ({ id }: Span): boolean => id === layers.focusedId || id === layers.hoveredId || layers.linked.includes(id);
  const active = run.covers.some(({ span }) => isActive(span));
  const stack = highlightOutlineLayers(run, layers, rtl);
  for (const cover of run.covers) if (endsLinked(cover)) stack.push(termKnobLayer(cover, appearance, rtl));
  for (const cover of run.covers) if (cover.lane < MAX_LANES) stack.push(barLayerOfSpan(cover, appearance));
  for (const gap of run.gapOf) if (gap.lane < MAX_LANES) stack.push(gapLineLayer(gap, appearance, isActive(gap.span)));
  if (layers.hit) stack.push(fullWidthLayer(solidBackground(ROLE.hit)));
  stack.push(...fillLayersOfRun(run, appearance, active));
  if (stack.length === 0) return {};
  return {
    backgroundImage: stack.map(({ image }) => image).join(', '),
    backgroundRepeat: stack.map(({ repeat }) => repeat ?? 'no-repeat').join(', '),
    backgroundPosition: stack.map(({ box }) => `${box[0]} ${scaledLength(box[1])}`).join(', '),
    backgroundSize: stack.map(({ box }) => `${box[2]} ${typeof box[3] === 'number' ? scaledLength(box[3]) : box[3]}`).join(', '),
  };
}

export interface TagDrawing {
  readonly id: string;
  readonly text: string;
  readonly kind: 'solid' | 'outlined' | 'rejected' | 'failed' | 'more';
  readonly lane: number;
  readonly style: CSSProperties;
}

/** Texts of tags other than label names. */
export interface TagTexts {
  readonly saving: string;
  readonly notSaved: string;
}

/** Tags that hang at the start of a run: one per visible span starting there, and `+n` for the collapsed ones. */
export function tagsOf(run: Run<Span>, appearance: Appearance, words: TagTexts, formatScore: (score: number) => string): TagDrawing[] {
  const tags: TagDrawing[] = [];
  const hidden = run.covers.filter((cover) => cover.first && cover.lane >= MAX_LANES);
  for (const { span, lane, first, room } of run.covers) {
    if (first && lane < MAX_LANES) tags.push(shortenTagToRoom(tagOf(span, lane, appearance, words, formatScore), room));
  }
  const deepest = hidden[0];
  if (deepest !== undefined) {
    tags.push({
      id: deepest.span.id,
      text: `+${String(hidden.length)}`,
      kind: 'more',
      lane: MAX_LANES - 1,
      style: { background: ROLE.text2, color: ROLE.surface },
    });
  }
  return tags;
}

const LETTER = 7.6;
const TAG_LETTER = 6.7;
const TAG_EDGES = 8;

/** Shortens a tag that would overlap the next one of its lane: first drops the score or state, then keeps only the first letters. */
function shortenTagToRoom(tag: TagDrawing, room: number | undefined): TagDrawing {
  if (room === undefined) return tag;
  const most = Math.max(1, Math.floor((room * LETTER - TAG_EDGES) / TAG_LETTER));
  if (tag.text.length <= most) return tag;
  const [name = tag.text] = tag.text.split(' ');
  return { ...tag, text: tag.kind === 'failed' ? tag.text : name.slice(0, most) };
}

function tagOf(span: Span, lane: number, appearance: Appearance, words: TagTexts, formatScore: (score: number) => string): TagDrawing {
  const { tag, style } = appearanceOf(appearance, span.label);
  const base = { id: span.id, lane };
  const text = span.change === 'added' ? `+${tag}` : tag;
  if (isRejected(span)) return { ...base, text, kind: 'rejected', style: { color: ROLE.text3, background: ROLE.surface } };
  if (span.status === 'failed')
    return { ...base, text: `${text} ${words.notSaved}`, kind: 'failed', style: { background: ROLE.errorSubtle, color: ROLE.error } };
  if (span.status === 'suggested') {
    const scored = span.score === undefined ? text : `${text} ${formatScore(span.score)}`;
    return { ...base, text: scored, kind: 'outlined', style: { color: style.ink, background: ROLE.surface } };
  }
  const saving = span.status === 'saving' ? `${text} ${words.saving}` : text;
  return { ...base, text: saving, kind: 'solid', style: { background: style.bar, color: style.onBar } };
}
