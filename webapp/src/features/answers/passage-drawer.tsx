import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '@/api/resources/answers';
import { Badge } from '@/ui/badge';
import { PassageList, type PassageListProps } from './passage-list';
import styles from './passages.module.css';

interface PassageDrawerProps extends Pick<PassageListProps, 'current' | 'actions'> {
  readonly answer: Answer;
}

/** The passages that were found for a question. */
export function PassageDrawer({ answer, ...list }: PassageDrawerProps): ReactNode {
  const { t } = useTranslation('answers');
  const cited = new Set(answer.citations.map(({ passage }) => passage));
  if (answer.passages.length === 0) return <p className={styles['none']}>{t('noPassages')}</p>;
  return (
    <section className={styles['drawer']} aria-label={t('passages')}>
      <p className={styles['counts']}>
        <Badge>{t('passageCount', { count: answer.passages.length })}</Badge>
        {cited.size > 0 && <Badge tone="primary">{t('citedCount', { count: cited.size })}</Badge>}
      </p>
      <PassageList passages={answer.passages} citations={answer.citations} {...list} />
    </section>
  );
}
