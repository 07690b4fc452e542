import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { edgeWidth, ScrollRow } from '../actions/scroll-row.tsx';

interface TabItem {
  id: string;
  label: string;
  content: ReactNode;
}

// Arrow keys follow the reading direction: in a right-to-left page the next tab is on the left.
function tabByKey(key: string, current: number, count: number): number | undefined {
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  return (current + (key === forward ? 1 : count - 1)) % count;
}

/** Scrolls the row so that a tab is in its middle, when an edge of the row or its button hides it. */
function showTab(list: HTMLElement, index: number): void {
  const tab = list.children[index]?.getBoundingClientRect();
  const row = list.getBoundingClientRect();
  const isWhole = list.scrollWidth <= list.clientWidth;
  if (!tab || isWhole) return;
  if (tab.left >= row.left + edgeWidth && tab.right <= row.right - edgeWidth) return;
  // Physical pixels: right in both directions of reading.
  list.scrollLeft += (tab.left + tab.right - row.left - row.right) / 2;
}

/**
 * Tabs in the pattern of WAI-ARIA. The parent stores the selected tab, for example in the address.
 */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabItem[];
  selected: string;
  onSelect: (id: string) => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selected),
  );
  useLayoutEffect(() => {
    const row = list.current;
    if (!row) return;
    // Names have other widths once their font is there, and in another language.
    const observer = new ResizeObserver(() => showTab(row, current));
    for (const each of [row, ...row.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabByKey(event.key, current, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
    onSelect((tabs[next] as TabItem).id);
  };
  return (
    <div>
      <ScrollRow
        row={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex gap-1 border-b border-ink-100"
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={index === current}
            aria-controls={`${id}-panel`}
            tabIndex={index === current ? 0 : -1}
            onClick={() => onSelect(tab.id)}
            className={classNames(
              '-mb-px flex min-h-12 shrink-0 items-center border-b-3 px-4',
              'font-semibold -outline-offset-2 transition-colors duration-150',
              index === current
                ? 'border-primary text-gold-700'
                : 'border-transparent text-ink-600 hover:text-ink-900',
            )}
          >
            {tab.label}
          </button>
        ))}
      </ScrollRow>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tabs[current]?.id}`}
        key={tabs[current]?.id}
        className="pt-6"
      >
        {tabs[current]?.content}
      </div>
    </div>
  );
}

/** The tab that the address names, else the first one; the first one is not named there. */
export function useAddressTab<Tab extends string>(
  tabs: readonly [Tab, ...Tab[]],
): [Tab, (tab: string) => void] {
  const [search, setSearch] = useSearchParams();
  const [first] = tabs;
  return [
    tabs.find((tab) => tab === search.get('tab')) ?? first,
    (tab) => setSearch(new URLSearchParams(tab === first ? {} : { tab })),
  ];
}
