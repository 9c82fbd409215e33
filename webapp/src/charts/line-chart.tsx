import { useLayoutEffect, useRef, useState, type PointerEvent } from 'react';
import { useFormat } from '@/ui/format';
import { indexesWithGap, axisTicks, type Point } from './scales';
import styles from './charts.module.css';

const HEIGHT = 220;
const LEFT = 52;
const RIGHT = 18;
const TOP = 12;
const BOTTOM = 28;
/** Width of an axis label, px. */
const LABEL_WIDTH = 130;

function axisLabelAnchor(place: number, count: number): 'start' | 'middle' | 'end' {
  if (count === 1 || (place > 0 && place < count - 1)) return 'middle';
  return place === 0 ? 'start' : 'end';
}

/** The available width: the chart is drawn at this size, so that its text is not scaled. */
function useElementWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(560);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.round(entry?.contentRect.width ?? 560))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

export interface LineChartProps {
  readonly points: readonly Point[];
  readonly summary: string;
  /** Label of a position on the x axis. */
  readonly nameOf: (x: number) => string;
  readonly textOf?: (y: number) => string;
  /** Maximum of the y axis when it is known: 100 for percent. */
  readonly top?: number;
  /** False: points joined by straight lines (trainings); true: steps (cumulative sums). */
  readonly steps?: boolean;
}

/** One line over an ordered axis, with a tooltip for the nearest point. The y axis starts at 0. */
export function LineChart({ points, summary, nameOf, textOf, top, steps = false }: LineChartProps) {
  const format = useFormat();
  const [at, setAt] = useState<number | null>(null);
  const [frame, width] = useElementWidth();
  const said = textOf ?? format.number;
  const lines = axisTicks(top ?? Math.max(1, ...points.map(({ y }) => y)));
  const high = lines.at(-1) ?? 1;
  const [low, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
  const x = (value: number) => LEFT + (last === low ? 0.5 : (value - low) / (last - low)) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - value / high) * (HEIGHT - TOP - BOTTOM);
  const path = points
    .map((point, place) => {
      const [px, py] = [x(point.x), y(point.y)];
      if (place === 0) return `M${px} ${py}`;
      return steps ? `H${px}V${py}` : `L${px} ${py}`;
    })
    .join('');
  const shown = at === null ? undefined : points[at];
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const wanted = ((event.clientX - box.left) / box.width) * width;
    const nearest = points.reduce(
      (best, point, place) => (Math.abs(x(point.x) - wanted) < Math.abs(x(points[best]?.x ?? 0) - wanted) ? place : best),
      0,
    );
    setAt(nearest);
  };
  return (
    <div className={styles['curve']} ref={frame}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-label={summary}
        onPointerMove={follow}
        onPointerLeave={() => setAt(null)}
      >
        {lines.map((line) => (
          <g key={line}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(line)} y2={y(line)} />
            <text x={LEFT - 8} y={y(line) + 4} textAnchor="end">
              {said(line)}
            </text>
          </g>
        ))}
        {indexesWithGap(
          points.map((point) => x(point.x)),
          LABEL_WIDTH,
        ).map((place) => (
          <text key={place} x={x(points[place]?.x ?? 0)} y={HEIGHT - 8} textAnchor={axisLabelAnchor(place, points.length)}>
            {nameOf(points[place]?.x ?? 0)}
          </text>
        ))}
        <path d={path} />
        {points.length <= 40 && points.map((point) => <circle key={point.x} cx={x(point.x)} cy={y(point.y)} r={3} />)}
        {shown !== undefined && (
          <g data-shown>
            <line x1={x(shown.x)} x2={x(shown.x)} y1={TOP} y2={HEIGHT - BOTTOM} />
            <circle cx={x(shown.x)} cy={y(shown.y)} r={4.5} />
          </g>
        )}
      </svg>
      {shown !== undefined && (
        <div
          className={styles['bubble']}
          aria-hidden
          style={{ left: `${(100 * x(shown.x)) / width}%` }}
          data-right={x(shown.x) > width / 2 || undefined}
        >
          <strong>{said(shown.y)}</strong> {nameOf(shown.x)}
        </div>
      )}
    </div>
  );
}
