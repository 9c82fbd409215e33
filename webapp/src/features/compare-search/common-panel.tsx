import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMode } from '@/theme/mode';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { Skeleton } from '@/ui/placeholder-states';
import { commonColour, OVERLAP_DEPTH, type FusedResult } from './common-results';
import styles from './compare.module.css';
import { colourStyle, segmentPath } from './result-row';
import type { ComparedSearch } from './use-compared-search';
import type { Comparison } from './use-comparison';

/** As many as the first page of a search has. */
const SHOWN = 10;

interface PanelProps {
  readonly one: ComparedSearch;
  readonly two: ComparedSearch;
  readonly comparison: Comparison | undefined;
  readonly all: boolean;
}

/** Results of each search, those of both, and the overlap of the first ten. */
export function CompareSummary({ one, two, comparison }: Omit<PanelProps, 'all'>): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  if (comparison === undefined || one.page === undefined || two.page === undefined) return null;
  const count = ({ page }: ComparedSearch) => `${format.number(page?.total.value ?? 0)}${page?.total.relation === 'eq' ? '' : '+'}`;
  const common = comparison.common.length;
  const depth = Math.max(1, Math.min(OVERLAP_DEPTH, Math.max(one.first?.length ?? 0, two.first?.length ?? 0)));
  return (
    <p className={styles['summary']} role="status">
      {t('summary', { a: count(one), b: count(two) })}
      {' · '}
      {t('inBoth', { count: common, number: format.number(common) })}
      {' · '}
      {t('overlap', { depth: OVERLAP_DEPTH, number: format.number(comparison.overlap), share: format.percent(comparison.overlap / depth) })}
    </p>
  );
}

function FusedCard({
  result,
  one,
  two,
  comparison,
}: PanelProps & { readonly result: FusedResult; readonly comparison: Comparison }): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const hit = comparison.hits.get(result.id);
  const place = comparison.places.get(result.id)?.place;
  const colour = commonColour(place ?? 0, useMode());
  if (hit === undefined) return null;
  const [a, b] = result.ranks;
  const rank = (value: number | undefined) => (value === undefined ? '–' : format.number(value));
  const search = a === undefined ? two : one;
  return (
    <li className={styles['fused']} style={colourStyle(colour)} data-common={colour === undefined ? undefined : place}>
      <Link to={segmentPath(search.state, hit, a ?? b ?? 1)}>
        {place !== undefined && `${format.number(place)}. `}
        {hit.segment.documentTitle ?? hit.segment.documentIdentifier}
      </Link>
      <span className={styles['fused-text']}>{hit.segment.text}</span>
      <span className={styles['ranks']}>{t('ranks', { a: rank(a), b: rank(b), average: format.number(result.score) })}</span>
    </li>
  );
}

function PanelBody(props: PanelProps): ReactNode {
  const { one, two, comparison } = props;
  const { t } = useTranslation('compare');
  if (one.ranking || two.ranking) return <Skeleton rows={1} rowHeight={56} />;
  if (comparison === undefined) {
    // V-035: a mistake only once something was searched.
    return <Notice tone={one.ready || two.ready ? 'error' : 'info'}>{t('tooFew')}</Notice>;
  }
  if (comparison.listed.length === 0) return <p className={styles['none']}>{t('noneCommon')}</p>;
  return (
    <ol className={styles['fused-list']}>
      {comparison.listed.slice(0, SHOWN).map((result) => (
        <FusedCard key={result.id} {...props} {...{ result, comparison }} />
      ))}
    </ol>
  );
}

/** S-032: the results of both searches, or of either, fused by rank. */
export function CommonPanel(props: PanelProps): ReactNode {
  const { t } = useTranslation('compare');
  return (
    <section className={styles['panel']} aria-labelledby="compare-common">
      <div className={styles['panel-head']}>
        <h2 id="compare-common">{t(props.all ? 'allResults' : 'commonResults')}</h2>
        <span>{t(props.all ? 'allHelp' : 'commonHelp')}</span>
      </div>
      <PanelBody {...props} />
    </section>
  );
}
