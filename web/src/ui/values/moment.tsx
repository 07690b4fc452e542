import { useFormat } from '../../lib/i18n/format.ts';

/** A moment in Asia/Dubai; the exact time is in the title when the text is relative. */
export function Moment({
  at,
  as = 'dateTime',
}: {
  at: string;
  as?: 'date' | 'dateTime' | 'time' | 'relative';
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
