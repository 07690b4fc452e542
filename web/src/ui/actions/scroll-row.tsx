import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  useLayoutEffect,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type RefObject,
} from 'react';
import { classNames } from '#lib/browser/class-names.ts';

/** The width of a button at an edge, in pixels: `w-10`. */
export const edgeWidth = 40;

const isRightToLeft = (row: HTMLElement) => getComputedStyle(row).direction === 'rtl';

/** Whether a row goes on before and behind what is visible of it. */
function overflowOf(row: HTMLElement): { start: boolean; end: boolean } {
  const maximum = row.scrollWidth - row.clientWidth;
  const at = Math.abs(row.scrollLeft);
  return { start: at > 1, end: at < maximum - 1 };
}

/**
 * A row that scrolls where it is wider than the page. A button at each edge says that more follows,
 * and shows it. The keyboard and screen readers reach everything in the row without the buttons.
 */
export function ScrollRow({
  row,
  className,
  children,
  ...rest
}: ComponentPropsWithoutRef<'div'> & { row?: RefObject<HTMLDivElement | null> }) {
  const own = useRef<HTMLDivElement>(null);
  const element = row ?? own;
  const [overflow, setOverflow] = useState({ start: false, end: false });
  useLayoutEffect(() => {
    const list = element.current;
    if (!list) return;
    const update = () => {
      const now = overflowOf(list);
      setOverflow((before) =>
        before.start === now.start && before.end === now.end ? before : now,
      );
    };
    const observer = new ResizeObserver(update);
    for (const each of [list, ...list.children]) observer.observe(each);
    list.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', update);
    };
  }, [element]);
  const scroll = (to: -1 | 1) => {
    const list = element.current;
    if (!list) return;
    // What was the last whole one stays visible.
    const step = Math.max(edgeWidth, list.clientWidth - 4 * edgeWidth);
    list.scrollBy({ left: (isRightToLeft(list) ? -to : to) * step });
  };
  return (
    <div className="relative min-w-0">
      <div
        ref={element}
        className={classNames('no-scrollbar relative overflow-x-auto', className)}
        {...rest}
      >
        {children}
      </div>
      {(['start', 'end'] as const).map((side) => {
        const Icon = side === 'start' ? ChevronLeft : ChevronRight;
        return overflow[side] ? (
          <button
            key={side}
            type="button"
            aria-hidden
            tabIndex={-1}
            data-no-print
            data-more={side}
            onClick={() => scroll(side === 'start' ? -1 : 1)}
            className={classNames(
              'absolute inset-y-0 flex w-10 items-center justify-center bg-white text-ink-700',
              'hover:text-gold-800',
              side === 'start'
                ? 'start-0 border-e border-ink-200'
                : 'end-0 border-s border-ink-200',
            )}
          >
            <Icon aria-hidden size={20} className="mirror" />
          </button>
        ) : null;
      })}
    </div>
  );
}
