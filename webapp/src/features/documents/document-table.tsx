import { Check } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { isSuggestedCategory } from '@/api/resources/categories';
import type { DocumentHit } from '@/api/resources/documents';
import type { Aggregation } from '@/api/resources/search';
import { Badge } from '@/ui/badge';
import { Chip } from '@/ui/chip';
import { DataTable, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { HighlightedText } from '@/blocks/search/highlighted-text';
import { lastOpened, useScrollToLastOpened } from '@/state/last-opened';
import { useCan, useProjectName } from '@/state/session-store';
import { useMetadataColumns } from './metadata-columns';
import { metadataText } from './metadata-list';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import styles from './documents.module.css';

const MAX_CATEGORIES = 3;

interface DocumentTableProps {
  readonly hits: readonly DocumentHit[];
  readonly aggregations: readonly Aggregation[] | undefined;
  readonly stale: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onOpen: (index: number) => void;
}

function TitleCell({ hit }: { readonly hit: DocumentHit }): ReactNode {
  const { document, highlights, excerpt } = hit;
  const title = document.title ?? '';
  return (
    <div className={styles['title']}>
      <span className={styles['name']} title={title === '' ? document.identifier : `${title}\n${document.identifier}`}>
        <span>{title === '' ? document.identifier : <HighlightedText text={title} ranges={highlights?.title ?? []} />}</span>
        {title !== '' && <small>{document.identifier}</small>}
      </span>
      {excerpt !== undefined && excerpt.text.trim() !== title.trim() && (
        <span className={styles['excerpt']}>
          {excerpt.start > 0 && '… '}
          <HighlightedText text={excerpt.text} ranges={excerpt.highlights} />
        </span>
      )}
    </div>
  );
}

function CategoriesCell({ hit }: { readonly hit: DocumentHit }): ReactNode {
  const { nameOf, colourOf } = useProjectLabels();
  const categories = (hit.document.categories ?? []).filter(({ status }) => status !== 'KO');
  return (
    <span className={styles['categories']}>
      {categories.slice(0, MAX_CATEGORIES).map((category) => {
        const colour = colourOf(category.labelName);
        return (
          <Chip
            key={category.identifier}
            text={nameOf(category.labelName)}
            dashed={isSuggestedCategory(category)}
            {...(colour === undefined ? {} : { colour })}
          />
        );
      })}
      {categories.length > MAX_CATEGORIES && <small>+{categories.length - MAX_CATEGORIES}</small>}
    </span>
  );
}

export function DocumentTable({ hits, aggregations, stale, selected, onSelect, onOpen }: DocumentTableProps): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const project = useProjectName();
  const seesMetadata = useCan('seeMetadata');
  const { chosen } = useMetadataColumns(project, hits, aggregations);
  const { categorySets } = useProjectLabels();
  const metadataTitle = useMetadataTitle();
  const root = useRef<HTMLDivElement>(null);
  const [opened] = useState(() => lastOpened('documents'));
  useScrollToLastOpened('documents', root, true);
  const columns: Column<DocumentHit>[] = [
    { key: 'title', header: t('column.title'), cell: (hit) => <TitleCell hit={hit} /> },
    ...(categorySets.length > 0
      ? [{ key: 'categories', header: t('column.categories'), width: 220, cell: (hit: DocumentHit) => <CategoriesCell hit={hit} /> }]
      : []),
    ...(seesMetadata ? chosen : []).map((name, index) => ({
      key: `metadata.${name}`,
      header: metadataTitle(name),
      headerTitle: name,
      width: 112,
      priority: (index === 0 ? 1 : 2) as 1 | 2,
      cell: (hit: DocumentHit) => <span dir="auto">{metadataText(hit.document.metadata?.[name])}</span>,
    })),
    {
      key: 'state',
      header: t('column.state'),
      width: 112,
      cell: ({ document }) =>
        document.reviewed === true && (
          <Badge tone="success" icon={Check}>
            {t('review.validated')}
          </Badge>
        ),
    },
    {
      key: 'annotations',
      header: t('column.annotations'),
      width: 100,
      align: 'right',
      cell: ({ document: { annotationCount: count } }) => (count === undefined ? '' : format.number(count)),
    },
    {
      key: 'length',
      header: t('column.length'),
      width: 92,
      align: 'right',
      priority: 2,
      cell: ({ document: { length } }) => (length === undefined ? '' : format.number(length)),
    },
    {
      key: 'modified',
      header: t('column.modified'),
      width: 100,
      align: 'right',
      cell: (hit) => <When at={hit.document.modifiedDate ?? ''} />,
    },
  ];
  return (
    <div ref={root}>
      <DataTable
        label={t('title')}
        twoLines
        {...(opened !== undefined && { current: opened })}
        columns={columns}
        rows={hits}
        rowKey={({ document }) => document.identifier}
        rowName={({ document }) => document.title ?? document.identifier}
        stale={stale}
        selected={selected}
        onSelect={onSelect}
        onOpen={(hit) => onOpen(hits.indexOf(hit))}
      />
    </div>
  );
}
