import { classNames } from '#lib/browser/class-names.ts';

/** How much of a piece of work is done. Empty at 0, also where `max` is not known yet. */
export function ProgressBar({
  label,
  value,
  max,
  className,
}: {
  label: string;
  value: number;
  max: number;
  className?: string;
}) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className={classNames(
        // The browser's own bar has a track of its own colour, which looks full in this height.
        'block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-ink-100',
        '[&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-ink-100',
        '[&::-webkit-progress-value]:bg-primary forced-colors:border',
        className,
      )}
    />
  );
}
