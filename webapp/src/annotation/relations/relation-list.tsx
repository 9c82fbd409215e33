/** All relations of a document: ends and author; each can be shown in the text, and changed where that is allowed. Presentational. */
import { use, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { ArrowLeftRight, Eye, EyeOff, Pencil, Search, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import '@/annotation/labels/label-drawer.css';
import './relations.css';
import { textOfExtent } from '@/annotation/fragments';
import type { Span } from '@/annotation/model';
import { cutText } from './relations';
import type { RelationProps, SpanRelation } from './relations';
import { PersonContext } from '@/annotation/strings';

export interface RelationListProps {
  readonly relations: readonly SpanRelation[];
  /** Callbacks, colours and focus, the same as those of the surface. */
  readonly drawn: RelationProps;
  /** Spans of the document, hidden ones too. */
  readonly spans: readonly Span[];
  readonly text: string;
  /** Whether relations are drawn in the text. */
  readonly shown: boolean;
  readonly onShown: (shown: boolean) => void;
  /** Scrolls to the relation. */
  readonly onJump: (relation: SpanRelation) => void;
  /** Opens the name picker. */
  readonly onRename: (relation: SpanRelation) => void;
}

interface Row {
  readonly relation: SpanRelation;
  readonly source: string;
  readonly target: string;
}

/** Maximum number of listed relations. */
const MOST = 200;
/** A shorter list has no filter. */
const FILTER_FROM = 6;

/** Rows in the order of the text; relations with a missing end are left out. */
export function relationRows(relations: readonly SpanRelation[], spans: readonly Span[], text: string): readonly Row[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const found = relations.flatMap((relation) => {
    const [source, target] = [byId.get(relation.source), byId.get(relation.target)];
    return source === undefined || target === undefined ? [] : [{ relation, source, target }];
  });
  return found
    .sort((a, b) => a.source.start - b.source.start || a.target.start - b.target.start)
    .map(({ relation, source, target }) => ({
      relation,
      source: textOfExtent(text, source),
      target: textOfExtent(text, target),
    }));
}

const matchesFilter = ({ relation, source, target }: Row, query: string, creator: string): boolean =>
  [relation.name, source, target, creator].some((words) => words.toLocaleLowerCase().includes(query));

export function RelationList(props: RelationListProps): ReactNode {
  const { relations, spans, text, shown, onShown } = props;
  const { t } = useTranslation('relations');
  const [query, setQuery] = useState('');
  const personName = use(PersonContext);
  const rows = relationRows(relations, spans, text);
  const wanted = query.trim().toLocaleLowerCase();
  const found =
    wanted === '' ? rows : rows.filter((row) => matchesFilter(row, wanted, personName(row.relation.creator ?? '', row.relation)));
  return (
    <section className="ann-relation-list" aria-label={t('title')}>
      <div className="ann-relation-head">
        <h3>{t('title')}</h3>
        {rows.length > 0 && <span className="ann-badge">{rows.length}</span>}
        {rows.length > 0 && (
          <button
            type="button"
            className="ann-icon-button"
            aria-label={t(shown ? 'hide' : 'show')}
            title={t(shown ? 'hide' : 'show')}
            onClick={() => onShown(!shown)}
          >
            {shown ? <Eye size={14} strokeWidth={1.75} aria-hidden /> : <EyeOff size={14} strokeWidth={1.75} aria-hidden />}
          </button>
        )}
      </div>
      {rows.length >= FILTER_FROM && (
        <div className="ann-field">
          <Search size={14} strokeWidth={1.75} aria-hidden />
          <input
            type="search"
            aria-label={t('filter')}
            placeholder={t('filter')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
      )}
      {rows.length === 0 && <p className="ann-note-text">{t(props.drawn.onLink === undefined ? 'none' : 'noneYet')}</p>}
      {rows.length > 0 && found.length === 0 && <p className="ann-note-text">{t('noneFound')}</p>}
      <ul>
        {found.slice(0, MOST).map((row) => (
          <RelationRow key={row.relation.id} row={row} {...props} />
        ))}
      </ul>
      {found.length > MOST && <p className="ann-note-text">{t('more', { count: found.length - MOST })}</p>}
    </section>
  );
}

function RelationRow({ row, drawn, onJump, onRename }: RelationListProps & { readonly row: Row }): ReactNode {
  const { t } = useTranslation('relations');
  const personName = use(PersonContext);
  const { relation, source, target } = row;
  const { id, name, creator, status } = relation;
  const words = { name, source: cutText(source), target: cutText(target) };
  const action = (key: string, Icon: LucideIcon, act: (() => void) | undefined): ReactNode =>
    act && (
      <button type="button" className="ann-icon-button ann-quiet" aria-label={t(`of.${key}`, words)} title={t(key)} onClick={act}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
      </button>
    );
  const { onRename: mayRename, onReverse, onUnlink } = drawn;
  return (
    <li data-focused={drawn.focusedId === id || undefined}>
      <button type="button" className="ann-relation-row" aria-label={t('told', words)} onClick={() => onJump(relation)}>
        <span className="ann-relation-name">
          <span className="ann-swatch" style={{ '--ann-line': drawn.styleOf(name).line } as CSSProperties} />
          <b dir="auto">{name}</b>
          {status !== 'saved' && <small>{t(`status.${status}`)}</small>}
          {status === 'saved' && creator !== undefined && <small>{personName(creator, relation)}</small>}
        </span>
        <span className="ann-relation-ends">
          <span dir="auto">{source}</span>
          <span aria-hidden="true">→</span>
          <span dir="auto">{target}</span>
        </span>
      </button>
      {action('rename', Pencil, mayRename && (() => onRename(relation)))}
      {action('turn', ArrowLeftRight, onReverse && (() => onReverse(id)))}
      {action('unlink', Trash2, onUnlink && (() => onUnlink(id)))}
    </li>
  );
}
