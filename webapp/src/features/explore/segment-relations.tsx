import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AnnotatedTextView } from '@/blocks/labelling/use-annotated-text';
import type { ViewFilter } from '@/blocks/labelling/view-filter';
import { RelationList } from '@/annotation/relations/relation-list';
import { cutText, type RelationProps, type SpanRelation } from '@/annotation/relations/relations';
import type { Relation } from '@/api/resources/relations';
import type { SegmentDetailsProps } from './segment-details-props';
import { useSegmentRelations } from './use-segment-relations';

/** Relations of the segment: internal ones can be shown, reversed and removed here; those to other segments are links into the document. */
export function SegmentRelations({ segment, content, filter, onFilter, pathTo, ...props }: SegmentRelationsProps): ReactNode {
  const { drawn, all, known } = useSegmentRelations(segment, props.labelling, props.writable, filter.relations, { ...props, least: 1 });
  const { onRename: _named, ...listed } = drawn;
  const ids = new Set(content.all.map(({ id }) => id));
  const here = all.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const leaving = externalRelations(all, known, ids);
  return (
    <>
      {here.length > 0 && (
        <RelationList
          relations={here}
          drawn={listed}
          spans={content.all}
          text={segment.text}
          shown={filter.relations}
          onShown={(relations) => onFilter({ ...filter, relations })}
          onRename={noOperation}
          onJump={({ id, source }) => {
            props.onFocusSpan(source);
            props.onFocusRelation(id);
          }}
        />
      )}
      {leaving.length > 0 && <ExternalRelations relations={leaving} styleOf={drawn.styleOf} pathTo={pathTo} />}
    </>
  );
}

interface SegmentRelationsProps extends SegmentDetailsProps {
  readonly content: AnnotatedTextView;
  readonly onFilter: (filter: ViewFilter) => void;
  /** Path of the document at an offset, code points. */
  readonly pathTo: (start: number) => string;
}

const noOperation = (): void => undefined;

interface ExternalRelation {
  readonly relation: SpanRelation;
  readonly source: string;
  readonly target: string;
  /** Start of the end that is outside the segment. */
  readonly start: number;
}

/** In document order; a new relation appears with the next list of the server. */
export function externalRelations(
  relations: readonly SpanRelation[],
  known: readonly Relation[],
  here: ReadonlySet<string>,
): readonly ExternalRelation[] {
  const byId = new Map(known.map((relation) => [relation.identifier, relation]));
  const found = relations.flatMap((relation): ExternalRelation[] => {
    if (here.has(relation.source) === here.has(relation.target)) return [];
    const { source, target, sourceText = '', targetText = '', sourceStart, targetStart } = byId.get(relation.id) ?? {};
    const start = here.has(relation.source) ? targetStart : sourceStart;
    // Just reversed: the server's data about its ends is outdated.
    const same = source === relation.source && target === relation.target;
    return start === undefined || !same ? [] : [{ relation, source: sourceText, target: targetText, start }];
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Maximum number of listed relations. */
const MOST = 50;

interface ExternalRelationsProps extends Pick<RelationProps, 'styleOf'> {
  readonly relations: readonly ExternalRelation[];
  readonly pathTo: (start: number) => string;
}

/** Relations whose other end is in another segment, each with a link to it. */
function ExternalRelations({ relations, styleOf, pathTo }: ExternalRelationsProps): ReactNode {
  const { t } = useTranslation('relations');
  return (
    <section className="ann-relation-list" aria-label={t('leaving')}>
      <div className="ann-relation-head">
        <h3>{t('leaving')}</h3>
        <span className="ann-badge">{relations.length}</span>
      </div>
      <ul>
        {relations.slice(0, MOST).map(({ relation: { id, name }, source, target, start }) => (
          <li key={id}>
            <Link
              className="ann-relation-row"
              to={pathTo(start)}
              aria-label={t('leads', { name, source: cutText(source), target: cutText(target) })}
            >
              <span className="ann-relation-name">
                <span className="ann-swatch" style={{ '--ann-line': styleOf(name).line } as CSSProperties} />
                <b dir="auto">{name}</b>
              </span>
              <span className="ann-relation-ends">
                <span dir="auto">{source}</span>
                <span aria-hidden="true">→</span>
                <span dir="auto">{target}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {relations.length > MOST && <p className="ann-note-text">{t('moreInDocument', { count: relations.length - MOST })}</p>}
    </section>
  );
}
