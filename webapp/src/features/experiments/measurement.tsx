/** How a model was, or will be, measured: as text and figures. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TrainingReport } from '@/api/resources/experiments';
import {
  CAUTIONS,
  measurementForecastQuery,
  sampleUnitOf,
  type ConfidenceInterval,
  type Forecast,
  type Measurement,
} from '@/api/resources/measurement';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import styles from './experiments.module.css';

const NAMED = 8;

/** `.31 to .58`: the 95 % confidence interval. */
export function ConfidenceIntervalText({ interval }: { readonly interval: ConfidenceInterval | undefined }) {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  if (!Array.isArray(interval)) return null;
  const [low, high] = interval;
  return (
    <small className={styles['interval']} title={t('intervalHelp')}>
      {t('interval', { low: format.score(low), high: format.score(high) })}
    </small>
  );
}

interface How {
  readonly method: string;
  readonly unit?: string;
  readonly groupField?: string;
  readonly folds?: number | null;
  readonly share?: number;
}

/** One sentence: what the test part is, and which documents stay together. */
function useMeasurementSentence() {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  return ({ method, unit = 'document', groupField = '', folds, share = 0.2 }: How): string => {
    if (method === 'heldOut' || method === 'crossValidation') {
      const percent = format.number(Math.round(100 * share));
      return t(`how.${method}.${unit}`, { field: groupField, percent, folds: format.number(folds ?? 0) });
    }
    return t(`how.${method}`, { defaultValue: '' });
  };
}

const MeasurementCautions = ({ codes }: { readonly codes: readonly string[] }) => {
  const { t } = useTranslation('measurement');
  const known = CAUTIONS.filter((code) => codes.includes(code));
  if (known.length === 0) return null;
  return (
    <Notice tone="warning">
      {known.map((code) => (
        <p key={code}>{t(`caution.${code}`)}</p>
      ))}
    </Notice>
  );
};

/** Documents and segments of a part; where each document is one segment, only documents. */
function useAmountText() {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  return ({ documents, segments = 0 }: { readonly documents?: number; readonly segments?: number }): string => {
    const pieces = t('segments', { count: segments, number: format.number(segments) });
    if (documents === undefined) return t('texts', { count: segments, number: format.number(segments) });
    const whole = t('documents', { count: documents, number: format.number(documents) });
    return documents === segments ? whole : `${whole}, ${pieces}`;
  };
}

function useMeasurementFacts(measurement: Measurement): { readonly key: string; readonly value: string }[] {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  const amount = useAmountText();
  const { method, unit, groupField, seed, confidence, resamples, modelInUse, train, test } = measurement;
  const drawn = method === 'heldOut' || method === 'crossValidation';
  const percent = format.number(Math.round(100 * confidence));
  return [
    ...(method === 'crossValidation' || method === 'sameTexts' ? [] : [{ key: 'train', value: amount(train) }]),
    { key: 'test', value: amount(test) },
    ...(drawn ? [{ key: 'drawnBy', value: t(`unit.${unit}`, { field: groupField ?? '' }) }] : []),
    ...(drawn && seed !== undefined ? [{ key: 'seed', value: format.number(seed) }] : []),
    { key: 'intervals', value: t('intervalFacts', { percent, number: format.number(resamples) }) },
    ...(modelInUse === undefined
      ? []
      : [
          {
            key: 'modelInUse',
            value:
              modelInUse.segments === undefined
                ? t(modelInUse.retrained ? 'inUse.all' : 'inUse.measured')
                : t(modelInUse.retrained ? 'inUse.allOf' : 'inUse.measuredOf', { what: amount(modelInUse) }),
          },
        ]),
  ];
}

/** In the report: selection of the test part, sizes of both parts, reliability of the figures. */
export function MeasurementPanel({ report, measurement }: { readonly report: TrainingReport; readonly measurement: Measurement }) {
  const { t } = useTranslation(['measurement', 'experiments']);
  const format = useFormat();
  const { nameOf } = useProjectLabels();
  const sentence = useMeasurementSentence();
  const facts = useMeasurementFacts(measurement);
  const { train, test, untestedLabels = [], cautions = [], method } = measurement;
  const named = untestedLabels.slice(0, NAMED).map(nameOf).join(', ');
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{t('title')}</h2>
      </header>
      <div className={styles['panel-body']}>
        {method !== 'crossValidation' && method !== 'sameTexts' && (
          <div className={styles['split-bar']} aria-hidden>
            <span style={{ flex: train.segments }} />
            <span style={{ flex: test.segments }} data-test />
          </div>
        )}
        <p>
          {sentence(measurement)}
          {report.accuracy !== undefined &&
            ` ${t(`experiments:accuracy.${sampleUnitOf(report)}`, { share: format.score(report.accuracy) })}`}
        </p>
        <MeasurementCautions codes={cautions} />
        <dl className={styles['facts-list']}>
          {facts.map(({ key, value }) => (
            <div key={key}>
              <dt>{t(`fact.${key}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {untestedLabels.length > 0 && (
          <p>
            {t('untested', { count: untestedLabels.length, names: named })}
            {untestedLabels.length > NAMED && ` ${t('andMore', { number: format.number(untestedLabels.length - NAMED) })}`}
          </p>
        )}
      </div>
    </section>
  );
}

function useForecastSentence() {
  const { t } = useTranslation('measurement');
  const format = useFormat();
  const sentence = useMeasurementSentence();
  return (forecast: Forecast): string => {
    const unit = forecast.groupField === '' ? 'document' : 'field';
    const how = sentence({ ...forecast, unit: forecast.cautions?.includes('oneGroup') ? 'segment' : unit });
    if (forecast.method === 'none') return t('forecast.none');
    const numbers = { train: format.number(forecast.train), test: format.number(forecast.test), seed: format.number(forecast.seed) };
    return [how, t(`forecast.${forecast.method}`, { ...numbers, defaultValue: '' })].filter(Boolean).join(' ');
  };
}

/** Before a training: how it will be measured, with numbers of annotated documents. */
export function MeasurementForecast({ project, groupField }: { readonly project: string; readonly groupField: string }) {
  const { data } = useQuery(measurementForecastQuery(project, groupField));
  const words = useForecastSentence();
  if (data === undefined) return null;
  return (
    <div className={styles['forecast']}>
      <p>{words(data)}</p>
      <MeasurementCautions codes={data.cautions ?? []} />
    </div>
  );
}

export interface MeasurementOptions {
  readonly groupField: string;
  readonly trainOnAll: boolean;
}

interface OptionsProps {
  readonly project: string;
  readonly value: MeasurementOptions;
  readonly onChange: (value: MeasurementOptions) => void;
}

const NO_FIELD = ' ';

/** In the experiment's form: which documents stay together in the split, and whether the deployed model is trained on everything. */
export function MeasurementOptionFields({ project, value, onChange }: OptionsProps) {
  const { t } = useTranslation('measurement');
  const { data } = useQuery(measurementForecastQuery(project, ''));
  const known = data?.fields ?? [];
  const names = known.map(({ name }) => name);
  const shown = value.groupField === '' || names.includes(value.groupField) ? names : [...names, value.groupField];
  const split = data?.method === 'project';
  return (
    <section className={styles['measure']} aria-label={t('title')}>
      <h3>{t('form.title')}</h3>
      <MeasurementForecast project={project} groupField={value.groupField} />
      {!split && shown.length > 0 && (
        <SelectInput
          label={t('form.groupField')}
          help={t('form.groupFieldHelp')}
          value={value.groupField === '' ? NO_FIELD : value.groupField}
          onChange={(field) => onChange({ ...value, groupField: field === NO_FIELD ? '' : field })}
          options={[{ value: NO_FIELD, label: t('form.noField') }, ...shown.map((name) => ({ value: name, label: name }))]}
        />
      )}
      <SwitchRow
        label={t('form.trainOnAll')}
        help={t(split ? 'form.trainOnAllSplit' : 'form.trainOnAllHelp')}
        checked={value.trainOnAll}
        onChange={(trainOnAll) => onChange({ ...value, trainOnAll })}
      />
    </section>
  );
}
