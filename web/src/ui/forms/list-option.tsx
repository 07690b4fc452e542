import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { ListBoxItem } from 'react-aria-components';
import { classNames } from '#lib/browser/class-names.ts';

/** One row of a drop-down list. */
export function ListOption({
  id,
  textValue,
  children,
}: {
  id: string;
  textValue: string;
  children?: ReactNode;
}) {
  return (
    <ListBoxItem
      id={id}
      textValue={textValue}
      className={classNames(
        'flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-md',
        'px-3 py-1.5 leading-(--leading-control) outline-none data-focused:bg-gold-50',
        'data-focused:text-gold-800 data-selected:font-semibold',
      )}
    >
      {({ isSelected }) => (
        <>
          <span className="min-w-0">{children ?? textValue}</span>
          {isSelected ? <Check aria-hidden size={18} className="shrink-0 text-gold-700" /> : null}
        </>
      )}
    </ListBoxItem>
  );
}

export const popoverStyle =
  'min-w-(--trigger-width) max-w-[calc(100vw-32px)] overflow-auto rounded-md ' +
  'border border-ink-200 bg-white p-1 shadow-soft data-entering:animate-enter';
