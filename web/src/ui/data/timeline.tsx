import { Check, Clock3, LoaderCircle, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import type { StatusTone } from '@diwan/contract/requests/workflow';

interface TimelineItem {
  id: string;
  title: ReactNode;
  /** Who did it and when. */
  meta?: ReactNode;
  children?: ReactNode;
  tone: StatusTone;
}

const toneStyles = {
  waiting: { icon: Clock3, style: 'bg-amber-100 text-amber-800' },
  progress: { icon: LoaderCircle, style: 'bg-blue-100 text-blue-900' },
  done: { icon: Check, style: 'bg-green-100 text-green-800' },
  refused: { icon: X, style: 'bg-red-100 text-red-800' },
  withdrawn: { icon: Minus, style: 'bg-ink-100 text-ink-700' },
};

/** A list of events joined by a line. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol>
      {items.map(({ id, title, meta, children, tone }) => {
        const { icon: Icon, style } = toneStyles[tone];
        return (
          <li
            key={id}
            className={classNames(
              'relative flex gap-4 pb-6 not-last:before:absolute not-last:before:start-[15px]',
              'not-last:before:top-[calc((max(2rem,1lh)+2rem)/2+4px)] not-last:before:bottom-1',
              'not-last:before:w-0.5 not-last:before:bg-ink-100 last:pb-0',
            )}
          >
            <span aria-hidden className="flex h-[1lh] min-h-8 items-center">
              <span
                className={`flex size-8 shrink-0 items-center justify-center rounded-full ${style}`}
              >
                <Icon size={16} />
              </span>
            </span>
            <div className="min-w-0 pt-[max(0px,(2rem-1lh)/2)]">
              <p className="font-semibold">{title}</p>
              {meta ? <p className="text-sm text-ink-500">{meta}</p> : null}
              {children ? <div className="mt-2">{children}</div> : null}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
