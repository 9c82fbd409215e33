import { Link2 } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SegmentHit } from '@/api/resources/segments';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { PassageJudgement } from '@/blocks/questions/judging';
import { HighlightedText } from '@/blocks/search/highlighted-text';
import { addressPath, type SearchAddress } from '@/state/search-address';
import { useMode } from '@/theme/mode';
import { useFormat } from '@/ui/format';
import { commonColour, COMPARED, type CommonColour } from './common-results';
import styles from './compare.module.css';
import type { CommonPlace } from './use-comparison';

export const colourStyle = (colour: CommonColour | undefined): CSSProperties =>
  (colour === undefined ? {} : { '--common': colour.background, '--common-ink': colour.ink }) as CSSProperties;

/** Path of the document at the segment with this rank; its neighbours are those of the search. */
export const segmentPath = (state: SearchAddress, { segment }: SegmentHit, rank: number): string =>
  addressPath('/document', {
    ...state,
    origin: 'explore',
    from: rank - 1,
    documentIdentifier: segment.documentIdentifier,
    highlightedSentence: segment.start,
  });

interface ResultRowProps {
  readonly hit: SegmentHit;
  /** From 1. */
  readonly rank: number;
  readonly state: SearchAddress;
  /** Letter of the other search, and the rank of this result there. */
  readonly other: { readonly letter: string; readonly rank: number | undefined; readonly complete: boolean };
  readonly common: CommonPlace | undefined;
  /** Both searches are compared, so that a result can be in only one. */
  readonly compared: boolean;
}

function CommonBadge({ common, other, rank, compared }: Pick<ResultRowProps, 'common' | 'other' | 'rank' | 'compared'>): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  if (common !== undefined && other.rank !== undefined)
    return (
      <span className={styles['common']}>
        <Link2 size={12} aria-hidden />
        {t('common', { place: format.number(common.place), rank: format.number(other.rank), letter: other.letter })}
      </span>
    );
  if (!compared || rank > COMPARED) return null;
  return (
    <span className={styles['only']}>
      {other.complete ? t('onlyHere') : t('notInFirst', { letter: other.letter, number: format.number(COMPARED) })}
    </span>
  );
}

/** A result: rank, document, text with its matches, and where the other search has it. */
export function ResultRow({ hit, rank, state, common, ...rest }: ResultRowProps): ReactNode {
  const format = useFormat();
  const { project } = useProjectLabels();
  const { segment } = hit;
  const colour = commonColour(common?.place ?? 0, useMode());
  const language = segment.metadata?.['language'];
  return (
    <li className={styles['row']} style={colourStyle(colour)} data-common={colour === undefined ? undefined : common?.place} tabIndex={-1}>
      <span className={styles['rank']}>{format.number(rank)}</span>
      <div className={styles['head']}>
        <h2>
          <Link to={segmentPath(state, hit, rank)}>{segment.documentTitle ?? segment.documentIdentifier}</Link>
        </h2>
        <CommonBadge {...{ common, rank }} {...rest} />
      </div>
      <p className={styles['text']} lang={typeof language === 'string' ? language : project?.lang}>
        <HighlightedText text={segment.text} ranges={hit.highlights?.text ?? []} />
      </p>
      <div className={styles['judged']}>
        <PassageJudgement passage={segment} title={segment.documentTitle ?? segment.documentIdentifier} />
      </div>
    </li>
  );
}
