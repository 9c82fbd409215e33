/** A page of found terms. */
import { Pencil, Trash2 } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lexicon } from '@/api/resources/lexicons';
import type { LexiconTerm, TermHit, TermHits } from '@/api/resources/terms';
import { HighlightedText } from '@/blocks/search/highlighted-text';
import { Badge } from '@/ui/badge';
import { IconButton } from '@/ui/icon-button';
import { Pager } from '@/ui/pager';
import { PageTable, type Column } from '@/ui/table-view';
import { LexiconSwatch } from './lexicon-swatch';
import styles from './vocabularies.module.css';

const SHOWN_FORMS = 4;

/** Identifies a term of the project. */
export const termKey = ({ lexicon, identifier }: Pick<LexiconTerm, 'lexicon' | 'identifier'>): string => `${lexicon} ${identifier}`;

/** The forms besides the preferred one, those that the query found first. */
function OtherForms({ term, highlights }: TermHit) {
  const { t } = useTranslation('vocabularies');
  const found = highlights?.altForms ?? {};
  const forms = (term.properties?.altForms ?? []).map((form, index) => ({ form, ranges: found[String(index)] ?? [] }));
  if (forms.length === 0) return null;
  const shown = [...forms].sort((a, b) => Number(b.ranges.length > 0) - Number(a.ranges.length > 0)).slice(0, SHOWN_FORMS);
  const more = forms.length - SHOWN_FORMS;
  return (
    <span dir="auto">
      {shown.map(({ form, ranges }, index) => (
        <Fragment key={form}>
          {index > 0 && ' · '}
          <HighlightedText text={form} ranges={ranges} />
        </Fragment>
      ))}
      {more > 0 && ` ${t('more', { count: more })}`}
    </span>
  );
}

function useTermColumns(lexicons: readonly Lexicon[]): Column<TermHit>[] {
  const { t } = useTranslation('vocabularies');
  return [
    {
      key: 'term',
      header: t('column.term'),
      cell: ({ term, highlights }) => (
        <span className={styles['term']}>
          <strong>
            <HighlightedText text={term.preferredForm ?? term.identifier} ranges={highlights?.preferredForm ?? []} />
          </strong>
          {term.properties?.obsolete === true && <Badge tone="warning">{t('term.obsolete')}</Badge>}
          <code title={term.identifier}>{term.identifier}</code>
        </span>
      ),
    },
    { key: 'forms', header: t('column.forms'), priority: 1, cell: (hit) => <OtherForms {...hit} /> },
    {
      key: 'lexicon',
      header: t('column.lexicon'),
      cell: ({ term }) => {
        const lexicon = lexicons.find(({ name }) => name === term.lexicon);
        return (
          <span className={styles['name']}>
            <LexiconSwatch color={lexicon?.color ?? ''} />
            {lexicon?.label ?? term.lexicon}
          </span>
        );
      },
    },
  ];
}

interface TermListProps {
  readonly lexicons: readonly Lexicon[];
  readonly hits: TermHits;
  readonly from: number;
  readonly size: number;
  readonly stale: boolean;
  /** Key of the term whose card is open. */
  readonly current: string | undefined;
  readonly mayChange: (term: LexiconTerm) => boolean;
  readonly onOpen: (term: LexiconTerm) => void;
  readonly onEdit: (term: LexiconTerm) => void;
  readonly onDelete: (term: LexiconTerm) => void;
  readonly onPage: (from: number) => void;
}

export function TermList({ lexicons, hits, from, size, stale, current, mayChange, onOpen, onEdit, onDelete, onPage }: TermListProps) {
  const { t } = useTranslation('vocabularies');
  const columns = useTermColumns(lexicons);
  const name = ({ term }: TermHit) => term.preferredForm ?? term.identifier;
  return (
    <>
      <div className={styles['list']}>
        <PageTable
          label={t('tab.terms')}
          twoLines
          stale={stale}
          rows={hits.hits}
          rowKey={({ term }) => termKey(term)}
          columns={columns}
          onOpen={({ term }) => onOpen(term)}
          rowActions={(hit) =>
            mayChange(hit.term) && (
              <span onClick={(event) => event.stopPropagation()}>
                <IconButton small label={t('term.editNamed', { name: name(hit) })} icon={Pencil} onClick={() => onEdit(hit.term)} />
                <IconButton small label={t('term.deleteNamed', { name: name(hit) })} icon={Trash2} onClick={() => onDelete(hit.term)} />
              </span>
            )
          }
          {...(current !== undefined && { current })}
        />
      </div>
      <Pager from={from} size={size} total={hits.total.value} exact={hits.total.relation === 'eq'} onChange={onPage} />
    </>
  );
}
