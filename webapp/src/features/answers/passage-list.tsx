import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer, AnswerPassage } from '@/api/resources/answers';
import { addressPath } from '@/state/search-address';
import { useFormat } from '@/ui/format';
import { PassageText } from './passage-text';
import styles from './passages.module.css';

export const titleOf = ({ documentTitle, documentIdentifier }: AnswerPassage) =>
  documentTitle === '' ? documentIdentifier : documentTitle;

/** Path of the document at a passage; `start` and `end` in code points. */
export const passagePath = (documentIdentifier: string, start: number, end: number) =>
  addressPath('/document', { documentIdentifier, highlightedSentence: start, highlightedEnd: end, origin: 'explore' });

export interface PassageListProps {
  readonly passages: readonly AnswerPassage[];
  /** What the answer cites. */
  readonly citations?: Answer['citations'];
  /** Number of the passage whose citation is pointed at. */
  readonly current?: number | undefined;
  /** Shown at the end of each passage, e.g. to judge it. */
  readonly actions?: (passage: AnswerPassage) => ReactNode;
}

interface PassageCardProps extends Pick<PassageListProps, 'actions'> {
  readonly passage: AnswerPassage;
  readonly cited: Answer['citations'];
  readonly isCurrent: boolean;
  /** 0..1, of the best passage. */
  readonly relevance: number;
}

function PassageCard({ passage, cited, isCurrent, relevance, actions }: PassageCardProps): ReactNode {
  const { t } = useTranslation('answers');
  const format = useFormat();
  const share = format.number(Math.round(relevance * 100));
  return (
    <li className={styles['passage']} data-cited={cited.length > 0 || undefined} data-current={isCurrent || undefined}>
      <div className={styles['head']}>
        <span className={styles['number']}>{passage.number}</span>
        <h3>
          <Link to={passagePath(passage.documentIdentifier, passage.start, passage.end)}>{titleOf(passage)}</Link>
        </h3>
        <span className={styles['bar']} role="img" aria-label={t('relevance', { share })} title={t('relevance', { share })}>
          <span style={{ inlineSize: `${String(relevance * 100)}%` }} />
        </span>
      </div>
      <PassageText text={passage.text.trimEnd()} cited={cited} />
      {actions !== undefined && <div className={styles['actions']}>{actions(passage)}</div>}
    </li>
  );
}

/** The passages that were found for a question, best first, each with its relevance relative to the best one. */
export function PassageList({ passages, citations = [], current, actions }: PassageListProps): ReactNode {
  const best = Math.max(...passages.map(({ score }) => score), 0);
  return (
    <ol className={styles['passages']}>
      {passages.map((passage) => (
        <PassageCard
          key={passage.number}
          passage={passage}
          cited={citations.filter((one) => one.passage === passage.number)}
          isCurrent={current === passage.number}
          relevance={best > 0 ? Math.max(0, passage.score / best) : 0}
          {...(actions !== undefined && { actions })}
        />
      ))}
    </ol>
  );
}
