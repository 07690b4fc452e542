import { useLanguage } from '#lib/i18n/language.ts';

const width = 120;
const height = 28;

/**
 * A small line that shows the trend of a number. It is decorative: the number itself is beside it.
 * The time axis follows the reading direction.
 */
export function SparkLine({ values }: { values: readonly number[] }) {
  const { direction } = useLanguage();
  const top = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const x = (index: number) => (direction === 'rtl' ? width - index * step : index * step);
  const path = values
    .map(
      (value, index) =>
        `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${(height - 2 - (value / top) * (height - 4)).toFixed(1)}`,
    )
    .join('');
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      className="max-w-full text-gold-500"
    >
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
