import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useElementWidth } from '#lib/browser/media.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { Link } from '#lib/router/link.tsx';
import { labelInterval, scaleFor } from './chart-scale.ts';

export interface ChartPoint {
  /** The short label under the axis. */
  name: string;
  /** The full label, shown when the point is selected. */
  fullName: string;
  bar: number;
  line: number;
  /** The lists of what the numbers count. */
  barLink?: string;
  lineLink?: string;
}

interface DayChartProps {
  title: string;
  description: string;
  barName: string;
  lineName: string;
  points: readonly ChartPoint[];
}

const height = 220;
const axis = 36;
const foot = 28;
const head = 10;
const labelWidth = 64;

/** The legend. The shapes distinguish the series without colour. */
function Legend({ barName, lineName }: Pick<DayChartProps, 'barName' | 'lineName'>) {
  return (
    <ul className="flex flex-wrap gap-x-5 text-sm text-ink-700">
      <li className="flex items-center gap-2">
        <svg aria-hidden width={14} height={14}>
          <rect width={14} height={14} rx={2} className="fill-gold-300" />
        </svg>
        <span>{barName}</span>
      </li>
      <li className="flex items-center gap-2">
        <svg aria-hidden width={26} height={14}>
          <path d="M1 7H25" className="stroke-green-700" strokeWidth={2} />
          <circle cx={13} cy={7} r={4} className="fill-white stroke-green-700" strokeWidth={2} />
        </svg>
        <span>{lineName}</span>
      </li>
    </ul>
  );
}

/** A number with its name, as a link to what it counts. */
export function ChartNumber({ to, children }: { to: string | undefined; children: ReactNode }) {
  return to === undefined ? (
    children
  ) : (
    <Link to={to} className="link inline-block py-1">
      {children}
    </Link>
  );
}

/** The point to which a key moves. */
function pointAfterKey(
  key: string,
  selected: number,
  { last, isRtl }: { last: number; isRtl: boolean },
) {
  const [next, previous] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  if (key === next || key === 'ArrowUp') return Math.min(last, selected + 1);
  if (key === previous || key === 'ArrowDown') return Math.max(0, selected - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

/** Where the points and numbers of a chart are drawn. */
interface Scales {
  width: number;
  plot: number;
  /** The width of a point. */
  slot: number;
  isRtl: boolean;
  /** The numbers of the axis. */
  marks: readonly number[];
  middle: (index: number) => number;
  y: (value: number) => number;
  /** The point at a distance from the left. */
  pointAt: (x: number) => number | undefined;
}

function scalesOf(points: readonly ChartPoint[], width: number, isRtl: boolean): Scales {
  const plot = Math.max(0, width - axis);
  const slot = plot / Math.max(1, points.length);
  const { top, marks } = scaleFor(
    Math.max(0, ...points.map(({ bar, line }) => Math.max(bar, line))),
  );
  return {
    width,
    plot,
    slot,
    isRtl,
    marks,
    middle: (index) => (isRtl ? plot - (index + 0.5) * slot : axis + (index + 0.5) * slot),
    y: (value) => head + (height - head - foot) * (1 - value / top),
    pointAt: (x) => {
      const index = Math.floor((isRtl ? plot - x : x - axis) / slot);
      return index >= 0 && index < points.length ? index : undefined;
    },
  };
}

/** The numbers at the start, each with a line across the chart. */
function NumberAxis({ scales: { width, plot, isRtl, marks, y } }: { scales: Scales }) {
  const { count } = useFormat();
  const { direction } = useLanguage();
  return marks.map((mark) => (
    <g key={mark}>
      <path
        d={`M${isRtl ? 0 : axis} ${y(mark)}h${plot}`}
        className={mark === 0 ? 'stroke-ink-400' : 'stroke-ink-100'}
      />
      <text
        x={isRtl ? width : 0}
        y={y(mark) + 4}
        textAnchor="start"
        direction={direction}
        className="fill-ink-600 text-[12px] tabular-nums"
      >
        {count(mark)}
      </text>
    </g>
  ));
}

interface SeriesProps {
  points: readonly ChartPoint[];
  scales: Scales;
}

function Bars({ points, scales: { slot, middle, y } }: SeriesProps) {
  const barWidth = Math.max(2, Math.min(28, slot * 0.62));
  return points.map((point, index) =>
    point.bar > 0 ? (
      <rect
        key={point.fullName}
        x={middle(index) - barWidth / 2}
        y={y(point.bar)}
        width={barWidth}
        height={y(0) - y(point.bar)}
        rx={2}
        className="fill-gold-300"
      />
    ) : null,
  );
}

function MarkedLine({ points, scales: { slot, middle, y } }: SeriesProps) {
  return (
    <>
      <path
        d={points
          .map(({ line }, index) => `${index === 0 ? 'M' : 'L'}${middle(index)} ${y(line)}`)
          .join('')}
        fill="none"
        strokeWidth={2}
        strokeLinejoin="round"
        className="stroke-green-700"
      />
      {points.map((point, index) =>
        point.line > 0 ? (
          <circle
            key={point.fullName}
            cx={middle(index)}
            cy={y(point.line)}
            r={slot >= 14 ? 4 : 2.5}
            strokeWidth={2}
            className="fill-white stroke-green-700"
          />
        ) : null,
      )}
    </>
  );
}

/** The names of the days, as many as fit. */
function DayAxis({ points, scales: { plot, middle } }: SeriesProps) {
  const { direction } = useLanguage();
  const every = labelInterval(points.length, plot, labelWidth);
  return points.map((point, index) =>
    index % every === Math.floor((every - 1) / 2) ? (
      <text
        key={point.fullName}
        x={middle(index)}
        y={height - 8}
        textAnchor="middle"
        direction={direction}
        className="fill-ink-600 text-[12px]"
      >
        {point.name}
      </text>
    ) : null,
  );
}

/** The selected point: the last one, until another one is chosen or hovered. */
function useSelectedPoint(last: number, isRtl: boolean) {
  const [chosen, setChosen] = useState(last);
  const [hovered, setHovered] = useState<number>();
  const selected = Math.min(hovered ?? chosen, last);
  return {
    selected,
    hover: setHovered,
    choose: (point: number | undefined) => setChosen(point ?? chosen),
    moveByKey: (event: KeyboardEvent) => {
      const point = pointAfterKey(event.key, selected, { last, isRtl });
      if (point === undefined) return;
      event.preventDefault();
      setHovered(undefined);
      setChosen(point);
    },
  };
}

/**
 * A chart with bars and a line over days. The time axis follows the reading direction, and the
 * number axis is at its start. One point is selected, at first the last one: by pointer, or by arrow
 * keys as on a slider; its numbers are beside the legend and open their lists. `description` gives
 * the same figures to screen readers.
 */
export function DayChart({ title, description, barName, lineName, points }: DayChartProps) {
  const { count } = useFormat();
  const { direction } = useLanguage();
  const { ref, width } = useElementWidth<HTMLDivElement>();
  const id = useId();
  const last = points.length - 1;
  const isRtl = direction === 'rtl';
  const { selected, hover, choose, moveByKey } = useSelectedPoint(last, isRtl);
  const scales = scalesOf(points, width, isRtl);
  const shown = points[selected];
  const pointAt = (event: PointerEvent<SVGSVGElement>) =>
    scales.pointAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
  const numbers = (point: ChartPoint) => [
    { name: barName, value: point.bar, to: point.barLink },
    { name: lineName, value: point.line, to: point.lineLink },
  ];
  const valueText = shown
    ? [shown.fullName, ...numbers(shown).map(({ name, value }) => `${name} ${count(value)}`)].join(
        ' · ',
      )
    : undefined;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <Legend barName={barName} lineName={lineName} />
        {shown ? (
          <p className="flex min-h-[1lh] flex-wrap items-center gap-x-4 text-sm font-semibold text-ink-900">
            <bdi>{shown.fullName}</bdi>
            {numbers(shown).map(({ name, value, to }) => (
              <ChartNumber key={name} to={to}>
                <span>{name}</span> <bdi className="tabular-nums">{count(value)}</bdi>
              </ChartNumber>
            ))}
          </p>
        ) : null}
      </div>
      <p id={`${id}-description`} className="sr-only">
        {description}
      </p>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-describedby={`${id}-description`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, selected)}
        aria-valuetext={valueText}
        onKeyDown={moveByKey}
        className="min-h-[220px] w-full rounded-sm print:min-h-0"
      >
        {width > 0 ? (
          <svg
            aria-hidden
            viewBox={`0 0 ${width} ${height}`}
            width="100%"
            className="block touch-pan-y overflow-visible"
            onPointerMove={(event) => hover(pointAt(event))}
            onPointerDown={(event) => choose(pointAt(event))}
            onPointerLeave={() => hover(undefined)}
          >
            <NumberAxis scales={scales} />
            {shown ? (
              <rect
                x={scales.middle(selected) - scales.slot / 2}
                y={head}
                width={scales.slot}
                height={height - head - foot}
                className="fill-ink-50"
              />
            ) : null}
            <Bars points={points} scales={scales} />
            <MarkedLine points={points} scales={scales} />
            <DayAxis points={points} scales={scales} />
          </svg>
        ) : null}
      </div>
    </div>
  );
}
