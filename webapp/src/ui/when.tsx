import { useFormat } from './format';

/** A moment as `2 min ago` or `12 March`; its date and time appear on hover. */
export function When({ at }: { readonly at: Date | number | string }) {
  const format = useFormat();
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return null;
  return (
    <time dateTime={then.toISOString()} title={format.moment(then)}>
      {format.when(then)}
    </time>
  );
}
