/** Relations of a document for the surface and the list: the server's relations with unsaved edits on top, and the actions on them. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { relationNamesQuery, type Relation, type RelationName } from '@/api/resources/relations';
import { labelColours } from '@/theme/label-colours';
import { useMode } from '@/theme/mode';
import type { RelationProps, RelationStyle, SpanRelation } from '@/annotation/relations/relations';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { applyRelationEdits } from '@/labelling-sync/edits/apply';

const NO_RELATIONS: readonly Relation[] = [];
const NO_NAMES: readonly RelationName[] = [];

function relationsWithEdits(relations: readonly Relation[], edits: readonly LabellingEdit[]): readonly SpanRelation[] {
  const { relations: shown, states } = applyRelationEdits(relations, edits);
  return shown.map(({ identifier: id, name, source, target, createdBy, importedBy, importedDate }) => {
    const state = states.get(id);
    const status = state === undefined ? 'saved' : state === 'saving' ? 'saving' : 'failed';
    return {
      id,
      name,
      source,
      target,
      status,
      creator: createdBy ?? undefined,
      ...(importedBy && { importedBy, importedDate: importedDate ?? undefined }),
    };
  });
}

export interface DocumentRelations {
  /** For the surface; empty while relations are hidden. */
  readonly drawn: RelationProps;
  /** For the list: all relations. */
  readonly all: readonly SpanRelation[];
  /** The server has assigned an id to a new relation: moves the focus to it. */
  readonly onNamed: (from: string, to: string) => void;
}

export interface RelationsInput {
  readonly project: string;
  readonly document: { readonly identifier: string; readonly relations?: readonly Relation[] };
  readonly edits: readonly LabellingEdit[];
  readonly labelling: LabellingEditor;
  readonly writable: boolean;
  readonly shown: boolean;
}

export interface RelationFocus {
  readonly focusedId: string | undefined;
  readonly onFocus: (id: string | undefined) => void;
  readonly onNamed: (from: string, to: string) => void;
}

export function useRelationFocus(): RelationFocus {
  const [focusedId, onFocus] = useState<string | undefined>(undefined);
  const onNamed = useCallback((from: string, to: string) => onFocus((id) => (id === from ? to : id)), []);
  return { focusedId, onFocus, onNamed };
}

/** `focusedSpan`: the focused annotation; a relation of other annotations loses the focus. */
export function useRelations(
  { project, document, edits, labelling, writable, shown }: RelationsInput,
  { focusedId: wanted, onFocus, onNamed }: RelationFocus,
  focusedSpan: string | undefined,
): DocumentRelations {
  const mode = useMode();
  const { data: known = NO_NAMES } = useQuery(relationNamesQuery(project));
  const { identifier, relations = NO_RELATIONS } = document;
  const all = useMemo(() => relationsWithEdits(relations, edits), [relations, edits]);
  const focusedId = all.find(({ id, source, target }) => id === wanted && isRelationEnd(focusedSpan, source, target))?.id;
  const styleOf = useMemo(() => {
    const styles = new Map<string, RelationStyle>();
    for (const { name, color } of known) {
      const { bar, ink } = labelColours(color, mode);
      styles.set(name, { line: bar, ink });
    }
    const other = labelColours(undefined, mode);
    return (name: string): RelationStyle => styles.get(name) ?? { line: other.bar, ink: other.ink };
  }, [known, mode]);
  // Recently used names are offered before the list is fetched again.
  const names = useMemo(() => {
    const given = [...new Set([...known.map(({ name }) => name), ...all.map(({ name }) => name)])];
    return given.map((name) => ({ name, style: styleOf(name) }));
  }, [known, all, styleOf]);
  const acts = useMemo(
    () => ({
      onLink: (source: string, target: string, name: string) =>
        onFocus(labelling.link({ documentIdentifier: identifier, name, source, target })),
      onRename: (id: string, name: string) => labelling.changeLink(identifier, id, { name }),
      onReverse: (id: string) => {
        const turned = all.find((relation) => relation.id === id);
        if (turned !== undefined) labelling.changeLink(identifier, id, { source: turned.target, target: turned.source });
      },
      onUnlink: (id: string) => labelling.unlink(identifier, id),
    }),
    [labelling, identifier, all, onFocus],
  );
  const drawn = { relations: shown ? all : NOTHING, names, styleOf, focusedId, onFocus, ...(writable && acts) };
  return { drawn, all, onNamed };
}

const NOTHING: readonly SpanRelation[] = [];

const isRelationEnd = (span: string | undefined, source: string, target: string): boolean =>
  span === undefined || span === source || span === target;
