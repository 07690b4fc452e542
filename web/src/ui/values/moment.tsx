import { useFormat } from '#lib/i18n/format.ts';

/** A date or time in Asia/Dubai; `title` holds the exact time where the text is relative. */
export function Moment({
  at,
  as = 'dateTime',
}: {
  at: string;
  as?: 'date' | 'dateTime' | 'exactTime' | 'time' | 'relative';
}) {
  const format = useFormat();
  return (
    <time
      dateTime={at}
      title={as === 'relative' ? format.dateTime(at) : undefined}
      className="tabular-nums"
    >
      <bdi>{format[as](at)}</bdi>
    </time>
  );
}
