/** Charts of the labelling: by label, creator, status and mode, co-occurring labels, frequent texts. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { appearanceOf } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { annotatedTextsQuery, type LabellingCount, type LabellingDetails, type ValueCount } from '@/api/resources/metrics';
import { BarChart, type BarPart } from '@/charts/bar-chart';
import { ChartCard } from '@/charts/chart-card';
import { CoOccurrenceMatrix } from '@/charts/co-occurrence-matrix';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { useFacetTexts } from '@/blocks/search/facet-texts';
import { useFacetSearchLinks, type FacetValueFilter, type CountedLabelling } from './dashboard-address';
import { LoadedSection } from './loaded-section';

/** With more labels, the card of labels that occur together takes a whole row. */
export const MOST_LABELS_IN_HALF_ROW = 10;

export interface LabellingCardProps {
  readonly project: string;
  readonly counted: CountedLabelling;
  readonly details: LabellingDetails;
}

const LABEL_FACET = { annotations: 'label', categories: 'classificationLabel' } as const;

/** Links to segments for spans, to documents for categories. */
function useLabelledItemsLink(counted: CountedLabelling): (...chosen: readonly FacetValueFilter[]) => string | undefined {
  const links = useFacetSearchLinks();
  return counted === 'annotations' ? links.segments : links.documents;
}

function useReviewStateParts() {
  const { t } = useTranslation('dashboard');
  const names = { confirmed: t('state.confirmed'), unreviewed: t('state.unreviewed'), rejected: t('state.rejected') };
  return {
    names,
    parts: (row: LabellingCount): BarPart[] => [
      { name: names.confirmed, value: row.confirmed, look: 'solid' },
      { name: names.unreviewed, value: row.unreviewed, look: 'hatched' },
      { name: names.rejected, value: row.rejected, look: 'faint' },
    ],
  };
}

const totalCount = (row: LabellingCount) => row.confirmed + row.unreviewed + row.rejected;

export function LabelsCard({ project, counted, details }: LabellingCardProps) {
  const { t } = useTranslation('dashboard');
  const { names, parts } = useReviewStateParts();
  const { appearance, nameOf } = useProjectLabels();
  const link = useLabelledItemsLink(counted);
  const most = details.labels[0];
  return (
    <ChartCard
      wide
      title={t(`labels.title.${counted}`)}
      help={t('labels.help')}
      summary={
        most === undefined ? '' : t('labels.summary', { count: details.labels.length, label: nameOf(most._id), number: totalCount(most) })
      }
      file={`${project}-labels-${counted}`}
      table={{
        columns: [t('labels.label'), names.confirmed, names.unreviewed, names.rejected],
        rows: details.labels.map((row) => [nameOf(row._id), row.confirmed, row.unreviewed, row.rejected]),
      }}
      empty={t(`empty.${counted}`)}
    >
      <BarChart
        rows={details.labels.map((row) => {
          const label = appearanceOf(appearance, row._id);
          return {
            key: row._id,
            name: nameOf(row._id),
            mark: <LabelTag label={label} />,
            colour: label.style.bar,
            parts: parts(row),
            to: row.confirmed + row.unreviewed > 0 ? link([LABEL_FACET[counted], row._id]) : undefined,
          };
        })}
      />
    </ChartCard>
  );
}

export function LabellingPerPersonCard({ project, counted, details }: LabellingCardProps) {
  const { t } = useTranslation('dashboard');
  const { names, parts } = useReviewStateParts();
  const words = useFacetTexts(useProjectLabels());
  const link = useLabelledItemsLink(counted);
  const name = (row: LabellingCount) => words.value('createdBy', row._id);
  return (
    <ChartCard
      title={t('people.title')}
      help={t('people.help')}
      summary={t('people.summary', { count: details.creators.length })}
      file={`${project}-people-${counted}`}
      table={{
        columns: [t('people.name'), names.confirmed, names.unreviewed, names.rejected],
        rows: details.creators.map((row) => [name(row), row.confirmed, row.unreviewed, row.rejected]),
      }}
      empty={t(`empty.${counted}`)}
    >
      <BarChart
        rows={details.creators.map((row) => ({ key: row._id, name: name(row), parts: parts(row), to: link(['createdBy', row._id]) }))}
      />
    </ChartCard>
  );
}

export function StatusAndModeCard({ project, counted, details }: LabellingCardProps) {
  const { t } = useTranslation('dashboard');
  const words = useFacetTexts(useProjectLabels());
  const link = useLabelledItemsLink(counted);
  const groups: readonly (readonly [string, readonly ValueCount[]])[] = [
    ['status', details.statuses],
    ['creationMode', details.modes],
  ];
  const rows = groups.flatMap(([facet, counts]) => counts.map(({ _id, count }) => ({ facet, value: _id, count })));
  return (
    <ChartCard
      title={t('states.title')}
      help={t('states.help')}
      summary={rows.map(({ facet, value, count }) => `${words.title(facet)} ${words.value(facet, value)}: ${count}`).join(', ')}
      file={`${project}-states-${counted}`}
      table={{
        columns: [t('states.kind'), t('states.value'), t(`tabOf.${counted}`)],
        rows: rows.map(({ facet, value, count }) => [words.title(facet), words.value(facet, value), count]),
      }}
      empty={t(`empty.${counted}`)}
    >
      {groups.map(([facet, counts]) => (
        <div key={facet}>
          <h3>{words.title(facet)}</h3>
          <BarChart
            rows={counts.map(({ _id, count }) => ({
              key: _id,
              name: words.value(facet, _id),
              parts: [{ name: '', value: count, look: 'solid' }],
              to: link([facet, _id]),
            }))}
          />
        </div>
      ))}
    </ChartCard>
  );
}

export function LabelOverlapsCard({ project, counted, details }: LabellingCardProps) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { appearance, nameOf } = useProjectLabels();
  const link = useLabelledItemsLink(counted);
  const { labels, counts } = details.overlaps;
  const names = labels.map(nameOf);
  const facet = LABEL_FACET[counted];
  return (
    <ChartCard
      wide={labels.length > MOST_LABELS_IN_HALF_ROW}
      title={t('overlaps.title')}
      help={t(`overlaps.help.${counted}`)}
      summary={t('overlaps.summary', { count: labels.length })}
      file={`${project}-labels-together-${counted}`}
      table={{
        columns: [t('overlaps.label'), t('overlaps.other'), t(`overlaps.count.${counted}`)],
        rows: labels.flatMap((_label, row) =>
          labels
            .slice(row)
            .map((_other, place): [string, string, number] => [
              names[row] ?? '',
              names[row + place] ?? '',
              counts[row]?.[row + place] ?? 0,
            ]),
        ),
      }}
      empty={t(`empty.${counted}`)}
    >
      <CoOccurrenceMatrix
        label={t('overlaps.title')}
        names={names}
        counts={counts}
        head={(place) => <LabelTag label={appearanceOf(appearance, labels[place] ?? '')} />}
        cellTitle={(row, column, count) =>
          row === column
            ? t(`overlaps.alone.${counted}`, { label: names[row], count, number: format.number(count) })
            : t(`overlaps.cell.${counted}`, { label: names[row], other: names[column], count, number: format.number(count) })
        }
        to={(row, column) => {
          const [first, second] = [labels[row] ?? '', labels[column] ?? ''];
          return row === column ? link([facet, first]) : link([facet, first], [facet, second]);
        }}
      />
    </ChartCard>
  );
}

/** Reads every annotation, so it is only loaded on request. */
export function AnnotatedTextsCard({ project }: { readonly project: string }) {
  const { t } = useTranslation('dashboard');
  const links = useFacetSearchLinks();
  const [asked, setAsked] = useState(false);
  const query = useQuery({ ...annotatedTextsQuery(project), enabled: asked });
  const texts = query.data ?? [];
  return (
    <ChartCard
      title={t('texts.title')}
      help={t('texts.help')}
      summary={t('texts.summary', { count: texts.length })}
      file={`${project}-texts`}
      table={{ columns: [t('texts.text'), t('tabOf.annotations')], rows: texts.map(({ _id, count }) => [_id, count]) }}
      loading={query.data === undefined}
      empty={t('empty.annotations')}
    >
      {asked ? (
        <LoadedSection query={query}>
          {(found) => (
            <BarChart
              rows={found.slice(0, 100).map(({ _id, count }) => ({
                key: _id,
                name: _id,
                parts: [{ name: '', value: count, look: 'solid' }],
                to: links.words(_id),
              }))}
            />
          )}
        </LoadedSection>
      ) : (
        <Button small onClick={() => setAsked(true)}>
          {t('texts.ask')}
        </Button>
      )}
    </ChartCard>
  );
}
