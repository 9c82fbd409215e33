import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { histogramQuery, type FacetedSearch } from '@/api/resources/facets';
import type { Aggregation } from '@/api/resources/search';
import { Button } from '@/ui/button';
import { DateInput } from '@/ui/date-input';
import { formatDay, isIsoDay } from '@/ui/day-text';
import { useFormat } from '@/ui/format';
import { rangeFilter, rangeOf, withRange, type SearchFilter } from '@/state/search-filters';
import styles from './range.module.css';

type Bucket = Aggregation['buckets'][number];
type Kind = 'number' | 'date';

const HEIGHT = 44;

const formatIsoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const END_OF_DAY_MS = 1;

/** The ends of a bar in the format of the input fields; a day is included completely. */
function bucketEnds({ from = 0, to = from }: Bucket, kind: Kind): readonly [string, string] {
  if (kind === 'date') return [formatIsoDay(from), formatIsoDay(to - END_OF_DAY_MS)];
  // Bars of whole numbers end before the next one begins.
  const whole = Number.isInteger(from) && Number.isInteger(to);
  return [String(from), String(whole ? to - 1 : to)];
}

interface BarsProps {
  readonly buckets: readonly Bucket[];
  readonly kind: Kind;
  readonly label: string;
  readonly low: string;
  readonly high: string;
  readonly onPick: (low: string, high: string, extend: boolean) => void;
}

function isBucketInRange(bucket: Bucket, kind: Kind, low: string, high: string): boolean {
  if (low === '' && high === '') return false;
  const [first, last] = bucketEnds(bucket, kind);
  if (kind === 'date') return (low === '' || last >= low) && (high === '' || first <= high);
  return (low === '' || Number(last) >= Number(low)) && (high === '' || Number(first) <= Number(high));
}

/** One bar per bucket; a click selects it, Shift and a click extend the range to it. The two fields are the keyboard alternative. */
function HistogramBars({ buckets, kind, label, low, high, onPick }: BarsProps): ReactNode {
  const { t } = useTranslation('search');
  const format = useFormat();
  const most = Math.max(...buckets.map(({ doc_count: count }) => count), 1);
  const shown = (text: string) => (kind === 'date' ? formatDay(text, format.language) : format.number(Number(text)));
  return (
    <>
      <p className="visually-hidden">{label}</p>
      <div className={styles['bars']} aria-hidden>
        {buckets.map((bucket) => {
          const [first, last] = bucketEnds(bucket, kind);
          const height = bucket.doc_count === 0 ? 0 : Math.max(2, Math.round((bucket.doc_count / most) * HEIGHT));
          return (
            <button
              key={bucket.key}
              type="button"
              tabIndex={-1}
              title={t('range.bar', { low: shown(first), high: shown(last), number: format.number(bucket.doc_count) })}
              data-on={isBucketInRange(bucket, kind, low, high) || undefined}
              onClick={(event) => onPick(first, last, event.shiftKey)}
            >
              <span style={{ height }} />
            </button>
          );
        })}
      </div>
    </>
  );
}

interface RangeEndProps {
  readonly kind: Kind;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly reversed: boolean;
  readonly onChange: (text: string) => void;
}

function RangeEnd({ kind, label, value, placeholder, reversed, onChange }: RangeEndProps): ReactNode {
  if (kind === 'date') return <DateInput label={label} value={value} invalid={reversed} onChange={onChange} />;
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        step="any"
        value={value}
        placeholder={placeholder}
        aria-invalid={reversed || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

interface RangeFormProps {
  readonly name: string;
  readonly kind: Kind;
  readonly histogram: Aggregation;
  readonly range: { readonly low: string; readonly high: string };
  readonly onApply: (low: string, high: string) => void;
}

/** Whether the ends can be read, and are the wrong way round. */
function stateOfRange(kind: Kind, low: string, high: string): { readonly readable: boolean; readonly reversed: boolean } {
  const readable = kind !== 'date' || [low, high].every((one) => one === '' || isIsoDay(one));
  const falling = kind === 'date' ? low > high : Number(low) > Number(high);
  return { readable, reversed: readable && low !== '' && high !== '' && falling };
}

function RangeForm({ name, kind, histogram, range, onApply }: RangeFormProps): ReactNode {
  const { t } = useTranslation('search');
  const format = useFormat();
  const [low, setLow] = useState(range.low);
  const [high, setHigh] = useState(range.high);
  const { buckets } = histogram;
  const ends = [buckets[0], buckets.at(-1)].map((bucket) => (bucket === undefined ? ['', ''] : bucketEnds(bucket, kind)));
  const first = ends[0]?.[0] ?? '';
  const last = ends[1]?.[1] ?? '';
  const { reversed, readable } = stateOfRange(kind, low, high);
  const count = buckets.reduce((sum, one) => sum + one.doc_count, 0);
  const pick = (from: string, to: string, extend: boolean) => {
    const start = extend && low !== '' ? low : from;
    setLow(start);
    setHigh(to);
    onApply(start, to);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reversed && readable) onApply(low, high);
  };
  return (
    <form className={styles['range']} aria-label={t('range.title', { name })} onSubmit={submit}>
      {buckets.length > 1 && (
        <>
          <HistogramBars
            {...{ buckets, kind, low, high }}
            label={t('range.spread', { name, low: first, high: last, number: format.number(count) })}
            onPick={pick}
          />
          <div className={styles['ends']} aria-hidden>
            {[first, last].map((end) => (
              <span key={end}>{kind === 'date' ? formatDay(end, format.language) : end}</span>
            ))}
          </div>
        </>
      )}
      <div className={styles['fields']} data-kind={kind}>
        <RangeEnd label={t('range.from')} value={low} placeholder={first} onChange={setLow} {...{ kind, reversed }} />
        <RangeEnd label={t('range.to')} value={high} placeholder={last} onChange={setHigh} {...{ kind, reversed }} />
        <Button small type="submit" disabled={reversed || !readable || (low === range.low && high === range.high)}>
          {t('range.apply')}
        </Button>
      </div>
      {reversed && (
        <p className={styles['wrong']} role="alert">
          {t('range.reversed')}
        </p>
      )}
    </form>
  );
}

interface RangeFilterProps {
  readonly project: string;
  readonly target: FacetedSearch;
  readonly field: string;
  /** Title of the field. */
  readonly name: string;
  readonly filters: readonly SearchFilter[];
  readonly onChange: (filters: readonly SearchFilter[]) => void;
}

/** The distribution of numbers or dates in the results (none for a single bar), and the range to filter by. */
export function RangeFilter({ project, target, field, name, filters, onChange }: RangeFilterProps): ReactNode {
  const { data } = useQuery(histogramQuery(project, target, field));
  const own = filters.map((one) => (one.field === field ? rangeOf(one) : undefined)).find((one) => one !== undefined);
  const range = own ?? { low: '', high: '' };
  const kind = data?.valueKind;
  if (data === undefined || data === null || kind === undefined) return null;
  return (
    <RangeForm
      key={`${range.low}/${range.high}`}
      {...{ name, kind, range }}
      histogram={data}
      onApply={(low, high) => onChange(withRange(filters, field, rangeFilter(field, low, high)))}
    />
  );
}
