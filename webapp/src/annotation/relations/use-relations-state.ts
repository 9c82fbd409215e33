/**
 * State of the relations of a surface: which are drawn, which are highlighted, which one is being created. Drawing is in
 * relation-layer.tsx.
 */
import i18next from 'i18next';
import { useMemo, useState } from 'react';
import type { Row } from '@/text/rows';
import { textOfExtent } from '@/annotation/fragments';
import type { KeyAction } from '@/annotation/keyboard/key-bindings';
import type { Span } from '@/annotation/model';
import type { RubberBand } from './use-relation-drag';
import { cutText, reuseUnchangedRelations, relationsBySpan, relationsOfRow } from './relations';
import type { RelationIndex, RelationProps, RowRelations, SpanRelation } from './relations';

const NO_RELATIONS: readonly SpanRelation[] = [];
const NO_SPANS: ReadonlyMap<string, Span> = new Map();
const NO_IDS: readonly string[] = [];

export type RelationNaming =
  { readonly kind: 'new'; readonly source: string; readonly target: string } | { readonly kind: 'rename'; readonly id: string };

export interface RelationsStateInput {
  readonly relations: RelationProps | undefined;
  readonly text: string;
  /** As drawn, in reading order. */
  readonly ordered: readonly Span[];
  readonly focusedId: string | undefined;
  readonly hoveredSpan: string | undefined;
  /** Set while a relation is being drawn with the pointer. */
  readonly rubber?: RubberBand | undefined;
}

export interface RelationsState {
  /** Relations are enabled here. */
  readonly active: boolean;
  /** The source of the relation being created. */
  readonly from: string | undefined;
  readonly focused: SpanRelation | undefined;
  readonly focusedSpan: string | undefined;
  readonly naming: RelationNaming | undefined;
  /** Spans at the ends of highlighted relations, and those being connected. */
  readonly ends: readonly string[];
  readonly looked: readonly string[];
  /** The pointer is on a relation. */
  readonly hovered: true | undefined;
  /** No relation has the focus, no name is being chosen. */
  readonly idle: boolean;
  inRow(row: Row, spans: readonly Span[]): RowRelations | undefined;
  hover(id: string | undefined): void;
  sourceOf(relation: string): string | undefined;
  begin(source: string): string;
  /** Sets the target of the new relation; its name is chosen next. */
  choose(target: string | undefined): string;
  /** Sets both ends; the name is chosen next. */
  join(source: string, target: string): void;
  cancel(): void;
  rename(id: string): void;
  named(name: string): void;
  focus(id: string | undefined): void;
  /**
   * Performs the relation action of a key. Returns the announcement; undefined when the key is about something else. `go` scrolls to a
   * span.
   */
  perform(action: KeyAction, go: (span: Span) => void): string | undefined;
}

const translateRelationText = (key: string, values: Record<string, string> = {}) => i18next.t(`relations:${key}`, values);

function useRelationIndex(relations: readonly SpanRelation[], ordered: readonly Span[]): RelationIndex {
  const needed = relations.length > 0;
  const byId = useMemo(() => (needed ? new Map(ordered.map((span) => [span.id, span])) : NO_SPANS), [needed, ordered]);
  const related = useMemo(() => relationsBySpan(relations, byId), [relations, byId]);
  return useMemo(() => ({ byId, related }), [byId, related]);
}

const relationsOfSpan = ({ related }: RelationIndex, id: string | undefined): readonly SpanRelation[] =>
  id === undefined ? NO_RELATIONS : (related.get(id) ?? NO_RELATIONS);

/** Highlighted relations: the hovered or focused relation, else those of the hovered span, else those of the focused span. */
function highlightedRelations(
  ends: RelationIndex,
  direct: SpanRelation | undefined,
  hoveredSpan: string | undefined,
  focusedSpan: string | undefined,
) {
  if (direct !== undefined) return [direct];
  const hovered = relationsOfSpan(ends, hoveredSpan);
  return hovered.length > 0 ? hovered : relationsOfSpan(ends, focusedSpan);
}

/** Spans that are being connected by a new relation. */
function spansBeingConnected(
  from: string | undefined,
  rubber: RubberBand | undefined,
  naming: RelationNaming | undefined,
): readonly string[] {
  const ids = [from, rubber?.source, rubber?.over, ...(naming?.kind === 'new' ? [naming.source, naming.target] : [])];
  return ids.filter((id) => id !== undefined);
}

const focusedRelation = (props: RelationProps | undefined): SpanRelation | undefined =>
  props?.relations.find(({ id }) => id === props.focusedId);

interface RelationsStateCore {
  readonly input: RelationsStateInput;
  readonly ends: RelationIndex;
  readonly from: string | undefined;
  readonly naming: RelationNaming | undefined;
  readonly focused: SpanRelation | undefined;
  setFrom(source: string | undefined): void;
  setNaming(naming: RelationNaming | undefined): void;
}

/** The actions on relations; each returns its announcement. */
function relationActions({ input, ends, from, naming, focused, setFrom, setNaming }: RelationsStateCore) {
  const { relations: props, text, ordered, focusedId } = input;
  const spanOf = (id: string): Span | undefined => ordered.find((span) => span.id === id);
  const textOfSpan = (id: string): string => {
    const span = spanOf(id);
    return span === undefined ? '' : cutText(textOfExtent(text, span));
  };
  const describe = ({ name, source, target }: SpanRelation): string =>
    translateRelationText('told', { name, source: textOfSpan(source), target: textOfSpan(target) });

  const begin = (source: string): string => {
    setFrom(source);
    setNaming(undefined);
    return translateRelationText('chooseTarget', { source: textOfSpan(source) });
  };

  const join = (source: string, target: string): void => {
    setNaming({ kind: 'new', source, target });
    setFrom(undefined);
  };

  const choose = (target: string | undefined): string => {
    if (from === undefined || target === undefined || from === target) return translateRelationText('otherSpan');
    join(from, target);
    return translateRelationText('chooseName');
  };

  /** Focuses the next relation of the focused span, cyclically. */
  const next = (): string => {
    const own = relationsOfSpan(ends, focusedId);
    const at = (own.findIndex(({ id }) => id === props?.focusedId) + 1) % Math.max(1, own.length);
    const relation = own[at];
    if (relation === undefined) return translateRelationText('noneOfSpan');
    props?.onFocus(relation.id);
    return `${describe(relation)}, ${translateRelationText('place', { place: String(at + 1), count: String(own.length) })}`;
  };

  const follow = (go: (span: Span) => void): string => {
    const relation = focused ?? relationsOfSpan(ends, focusedId)[0];
    const other = relation && spanOf(relation.source === focusedId ? relation.target : relation.source);
    if (relation === undefined || other === undefined) return translateRelationText('noneOfSpan');
    go(other);
    props?.onFocus(relation.id);
    return describe(relation);
  };

  const onRelation = (act: 'turn' | 'unlink' | 'rename'): string => {
    if (focused === undefined || props === undefined) return translateRelationText('noneOfSpan');
    const { id, source, target } = focused;
    if (act === 'rename') {
      setNaming({ kind: 'rename', id });
      return describe(focused);
    }
    if (act === 'turn') {
      props.onReverse?.(id);
      return translateRelationText('turned', { relation: describe({ ...focused, source: target, target: source }) });
    }
    props.onFocus(undefined);
    props.onUnlink?.(id);
    return translateRelationText('unlinked', { relation: describe(focused) });
  };

  const cancel = (): void => {
    setFrom(undefined);
    setNaming(undefined);
  };

  const perform = (action: KeyAction, go: (span: Span) => void): string | undefined => {
    const busy = from !== undefined || naming !== undefined;
    if (action.do === 'escape' && (busy || focused !== undefined)) {
      if (!busy) props?.onFocus(undefined);
      cancel();
      return translateRelationText('given-up');
    }
    if (action.do !== 'links' || props === undefined) return undefined;
    if (action.act === 'begin') return focusedId === undefined ? '' : begin(focusedId);
    if (action.act === 'choose') return choose(focusedId);
    if (action.act === 'next') return next();
    return action.act === 'follow' ? follow(go) : onRelation(action.act);
  };

  return { begin, join, choose, cancel, perform };
}

export function useRelationsState(input: RelationsStateInput): RelationsState {
  const { relations: props, text, ordered, focusedId, hoveredSpan } = input;
  const relations = props?.relations ?? NO_RELATIONS;
  const ends = useRelationIndex(relations, ordered);
  const [from, setFrom] = useState<string | undefined>(undefined);
  const [naming, setNaming] = useState<RelationNaming | undefined>(undefined);
  const [hovered, setHovered] = useState<string | undefined>(undefined);
  const [known] = useState(() => new Map<number, RowRelations | undefined>());
  const relationOf = (id: string | undefined) => (id === undefined ? undefined : relations.find((relation) => relation.id === id));
  const focused = focusedRelation(props);
  const looked = highlightedRelations(ends, relationOf(hovered) ?? focused, hoveredSpan, focusedId);
  const held = spansBeingConnected(from, input.rubber, naming);
  const acts = relationActions({ input, ends, from, naming, focused, setFrom, setNaming });
  return {
    ...acts,
    active: props !== undefined,
    from,
    focused,
    focusedSpan: focusedId,
    naming,
    ends: looked.length + held.length === 0 ? NO_IDS : [...held, ...looked.flatMap(({ source, target }) => [source, target])],
    looked: looked.map(({ id }) => id),
    hovered: hovered === undefined ? undefined : true,
    idle: focused === undefined && naming === undefined && from === undefined,
    inRow: (row, spans) => {
      if (ends.related.size === 0) return undefined;
      const links = reuseUnchangedRelations(
        relationsOfRow(row, spans, ends, (span) => textOfExtent(text, span)),
        known.get(row.index),
      );
      known.set(row.index, links);
      return links;
    },
    hover: setHovered,
    sourceOf: (relation) => relationOf(relation)?.source,
    rename: (id) => setNaming({ kind: 'rename', id }),
    named: (name) => {
      if (naming?.kind === 'new') props?.onLink?.(naming.source, naming.target, name);
      else if (naming !== undefined) props?.onRename?.(naming.id, name);
      setNaming(undefined);
    },
    focus: (id) => props?.onFocus(id),
  };
}
