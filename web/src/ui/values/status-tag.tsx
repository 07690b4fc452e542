import { CircleCheck, CircleMinus, CircleX, Clock3, LoaderCircle } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import type { StatusTone } from '@diwan/contract/requests/workflow';

const toneStyles = {
  waiting: { icon: Clock3, style: 'bg-amber-100 text-amber-800' },
  progress: { icon: LoaderCircle, style: 'bg-blue-100 text-blue-900' },
  done: { icon: CircleCheck, style: 'bg-green-100 text-green-800' },
  refused: { icon: CircleX, style: 'bg-red-100 text-red-800' },
  withdrawn: { icon: CircleMinus, style: 'bg-ink-100 text-ink-700' },
};

/** A status as icon, text and colour, so that none of them is the only cue. */
export function StatusTag({
  tone,
  children,
  size = 'md',
}: {
  tone: StatusTone;
  children: string;
  size?: 'md' | 'lg';
}) {
  const { icon: Icon, style } = toneStyles[tone];
  return (
    <span
      className={classNames(
        'inline-flex max-w-full shrink-0 items-center gap-1.5 rounded-lg md:rounded-full',
        'font-semibold max-[22.5rem]:shrink md:whitespace-nowrap',
        size === 'lg' ? 'px-4 py-1 text-base' : 'px-3 text-sm',
        style,
      )}
    >
      <Icon aria-hidden size={size === 'lg' ? 20 : 16} className="shrink-0" />
      <span>{children}</span>
    </span>
  );
}
