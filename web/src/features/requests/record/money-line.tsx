import { Money } from '../../../ui/values/money.tsx';

/** A line of a bill, in a `dl`. */
export function MoneyLine({
  label,
  fils,
  isTotal,
}: {
  label: string;
  fils: number;
  isTotal?: boolean;
}) {
  return (
    <div
      className={`flex items-baseline justify-between gap-4 py-2 ${isTotal ? 'border-t-2 border-ink-800 font-semibold' : ''}`}
    >
      <dt className={isTotal ? undefined : 'text-ink-600'}>{label}</dt>
      <dd>
        <Money fils={fils} />
      </dd>
    </div>
  );
}
