/** How much a launch would measure, or what is missing for it. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, describeFailure } from '@/api/errors';
import type { QualityEstimate, QualityKind } from '@/api/resources/ranking-experiments';
import { ButtonLink } from '@/ui/button-link';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { FailureText } from '@/ui/failure-text';

interface ForecastProps {
  readonly kind: QualityKind;
  /** The form can be sent. */
  readonly complete: boolean;
  readonly estimate: Pick<UseQueryResult<QualityEstimate>, 'data' | 'error'>;
}

const reasonOf = (error: unknown): string =>
  (error instanceof ApiError ? error.fields[0]?.message : undefined) ?? describeFailure(error).message;

/** Too few questions: where to get them. */
export function MissingQuestions({ kind, estimate }: { readonly kind: QualityKind; readonly estimate: QualityEstimate }) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  return (
    <Notice
      tone="warning"
      action={
        <ButtonLink small to="/answers?tab=questions">
          {t('missing.open')}
        </ButtonLink>
      }
    >
      {t(`missing.${kind}`, { count: estimate.needed, needed: format.number(estimate.needed), have: format.number(estimate.questions) })}
    </Notice>
  );
}

export function QualityForecast({ kind, complete, estimate: { data, error } }: ForecastProps) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  if (!complete) return null;
  if (error !== null) return <FailureText>{reasonOf(error)}</FailureText>;
  if (data === undefined) return null;
  if (data.questions < data.needed)
    return data.limited ? <Notice tone="warning">{t('forecast.nothing')}</Notice> : <MissingQuestions kind={kind} estimate={data} />;
  const { configurations, questions, searches, answers, calls, limited } = data;
  const numbers = { count: configurations, configurations: format.number(configurations), questions: format.number(questions) };
  const costs = calls > 0 ? t('forecast.calls', { count: calls, number: format.number(calls) }) : '';
  const work = kind === 'ranking' ? searches : answers;
  return (
    <Notice tone="info">
      {[t(`forecast.${kind}`, { ...numbers, work: format.number(work) }), costs, limited ? t('forecast.limited') : '']
        .filter(Boolean)
        .join(' ')}
    </Notice>
  );
}
