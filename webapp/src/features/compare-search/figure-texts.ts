/** How figures and their differences are written. */
import { useTranslation } from 'react-i18next';
import type { ComparedFigure } from '@/api/resources/search-comparison';
import { formatScore, useFormat } from '@/ui/format';

/** Judged questions from which on a difference can be told from chance. */
export const FEWEST_QUESTIONS = 5;
/** A smaller p is told as larger than chance. */
export const SIGNIFICANT = 0.05;
const SMALLEST_P = 0.001;

export type Verdict = 'tooFew' | 'same' | 'larger' | 'chance';

export function verdictOf({ difference, p }: Pick<ComparedFigure, 'difference' | 'p'>, judged: number): Verdict {
  if (judged < FEWEST_QUESTIONS) return 'tooFew';
  if (difference === 0) return 'same';
  return p < SIGNIFICANT ? 'larger' : 'chance';
}

export function useFigureTexts() {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const small = (p: number) => formatScore(p, format.language, 3);
  return {
    name: (figure: string) => t(`figures.name.${figure}`, { defaultValue: figure }),
    help: (figure: string) => t(`figures.help.${figure}`, { defaultValue: '' }),
    value: (value: number | undefined) => (value === undefined ? '–' : format.score(value)),
    signed: (value: number) => (value === 0 ? '0' : `${value < 0 ? '−' : '+'}${format.score(Math.abs(value))}`),
    verdict: (figure: ComparedFigure, judged: number) =>
      t(`figures.verdict.${verdictOf(figure, judged)}`, { p: figure.p < SMALLEST_P ? `< ${small(SMALLEST_P)}` : `= ${small(figure.p)}` }),
  };
}
