import type { ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';

interface KeyValue {
  label: string;
  value: ReactNode;
  /** For example a link to change the value. */
  action?: ReactNode;
  /** Over the whole width, below the value. */
  below?: ReactNode;
}

export function KeyValueList({ items }: { items: readonly KeyValue[] }) {
  return (
    <dl className="divide-y divide-ink-100">
      {items.map((item) => (
        <div
          key={item.label}
          className={classNames(
            'grid grid-cols-[1fr_auto] gap-x-4 py-3 first:pt-0 last:pb-0',
            // With or without an action, all values begin at the same place.
            'md:grid-cols-[38%_minmax(0,1fr)_auto]',
            'print:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] print:py-1.5',
          )}
        >
          <dt className="text-ink-500 max-md:text-sm">{item.label}</dt>
          <dd className="min-w-0 max-md:not-print:col-start-1 max-md:not-print:row-start-2">
            {item.value}
          </dd>
          {item.action ? (
            <dd className="max-md:col-start-2 max-md:row-span-2 max-md:row-start-1 max-md:self-center">
              {item.action}
            </dd>
          ) : null}
          {item.below ? <dd className="col-span-full">{item.below}</dd> : null}
        </div>
      ))}
    </dl>
  );
}
