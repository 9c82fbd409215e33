/** The weights of the ranking that was learned from the judgements, and whether it is used. */
import { useTranslation } from 'react-i18next';
import type { LearnedRanking } from '@/api/resources/ranking-experiments';
import { ChartCard } from '@/charts/chart-card';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import styles from './quality.module.css';

const KNOWN = new Set(['text', 'vector', 'title', 'position', 'recency', 'reranker', 'length', 'coverage']);

export function LearnedRankingPanel({ learned, file }: { readonly learned: LearnedRanking; readonly file: string }) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const weights = Object.entries(learned.weights).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const top = Math.max(...weights.map(([, weight]) => Math.abs(weight)), 1e-9);
  const name = (feature: string) => (KNOWN.has(feature) ? t(`feature.${feature}`) : feature);
  const { difference, p } = learned;
  const numbers = typeof difference === 'number' && typeof p === 'number';
  const text = t(`learned.reason.${learned.reason}`);
  const details = numbers ? t('learned.difference', { difference: format.signedScore(difference), p: format.probability(p) }) : '';
  return (
    <ChartCard
      title={t('learned.title')}
      help={t('learned.help')}
      summary={weights.map(([feature, weight]) => `${name(feature)}: ${format.weight(weight, true)}`).join(', ')}
      file={`${file}-weights`}
      table={{
        columns: [t('learned.feature'), t('learned.weight')],
        rows: weights.map(([feature, weight]) => [name(feature), format.weight(weight, true)]),
      }}
    >
      <Notice tone={learned.used ? 'info' : 'warning'}>{[text, details].filter(Boolean).join(' ')}</Notice>
      {weights.length > 0 && (
        <ul className={styles['weights']}>
          {weights.map(([feature, weight]) => (
            <li key={feature}>
              <span>{name(feature)}</span>
              <span className={styles['weight']} aria-hidden>
                <span data-negative={weight < 0 || undefined} style={{ width: `${String((50 * Math.abs(weight)) / top)}%` }} />
              </span>
              <span>{format.weight(weight, true)}</span>
            </li>
          ))}
        </ul>
      )}
    </ChartCard>
  );
}
