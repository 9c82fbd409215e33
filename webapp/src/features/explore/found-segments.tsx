import { useCallback, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lastOpened, useScrollToLastOpened } from '@/state/last-opened';
import { Pager } from '@/ui/pager';
import styles from './explore.module.css';
import { SegmentCard, type SegmentCardProps } from './segment-card';
import type { SegmentResultsProps } from './segment-results-props';
import { SelectionBar } from './selection-bar';
import type { ActiveCard } from './use-card-focus';

interface FoundSegmentsProps extends Pick<
  SegmentCardProps,
  'labelling' | 'filter' | 'spanLabels' | 'creation' | 'focusedId' | 'focusedRelation' | 'writable'
> {
  readonly results: SegmentResultsProps;
  /** The active card. */
  readonly active: ActiveCard;
  /** How often the selection of a card was cleared, by segment. */
  readonly cleared: Readonly<Record<string, number>>;
  readonly cardFocus: Pick<SegmentCardProps, 'onActive' | 'onFocus' | 'onFocusRelation'>;
}

/** The cards of a page of results, the selected ones, and the pager. */
export function FoundSegments(props: FoundSegmentsProps): ReactNode {
  const { labelling, filter, spanLabels, creation, active, focusedId, focusedRelation, cleared, writable, cardFocus } = props;
  const { project, state, change, hits, total, size, stale } = props.results;
  const { t } = useTranslation('explore');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSelect = useCallback(
    (id: string, on: boolean) => setSelected((known) => new Set(on ? [...known, id] : [...known].filter((other) => other !== id))),
    [],
  );
  const onSimilar = useCallback((segid: string) => change({ action: '_similar', segid }), [change]);
  const list = useRef<HTMLOListElement>(null);
  const [opened] = useState(() => lastOpened('explore'));
  useScrollToLastOpened('explore', list, hits.length > 0);
  if (hits.length === 0) return null;
  return (
    <>
      <ol
        ref={list}
        className={styles['list']}
        aria-label={t('results')}
        data-stale={stale || undefined}
        data-quiet={!filter.showOnHover || undefined}
        start={state.from + 1}
      >
        {hits.map((hit, index) => (
          <SegmentCard
            key={`${hit._id}/${cleared[hit.segment.identifier] ?? 0}`}
            {...{ hit, index, labelling, filter, spanLabels, creation, state, onSelect, onSimilar, ...cardFocus }}
            focusedId={hit.segment.identifier === active.segment ? focusedId : undefined}
            focusedRelation={hit.segment.identifier === active.segment ? focusedRelation : undefined}
            selected={selected.has(hit.segment.identifier)}
            current={hit.segment.identifier === opened}
            writable={writable}
          />
        ))}
      </ol>
      <div className={styles['foot']}>
        <Pager
          from={state.from}
          size={size}
          total={total?.value ?? 0}
          exact={total?.relation === 'eq'}
          onChange={(from) => change({ from })}
        />
        <SelectionBar
          project={project}
          state={state}
          segments={hits.map(({ segment }) => segment)}
          selected={selected}
          onClear={() => setSelected(new Set())}
        />
      </div>
    </>
  );
}
