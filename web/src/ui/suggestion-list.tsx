import { History } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classNames } from '../lib/class-names.ts';

export interface Suggestion {
  id: string;
  label: string;
  /** A second line, such as the agency. */
  detail?: string;
  /** One of the last searches. */
  isPast?: boolean;
}

interface SuggestionListProps {
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  onSelect: (suggestion: Suggestion) => void;
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The list under a search box; focus stays in the box. At most 240 px high (specification §9). */
export function SuggestionList({ id, label, suggestions, active, onSelect }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className="max-h-60 overflow-y-auto">
      {suggestions.map((suggestion, index) => (
        // The keys are the search box's, where the focus stays.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={suggestion.id} id={optionId(id, index)} role="option" aria-selected={index === active} onClick={() => onSelect(suggestion)}
          className={classNames('flex min-h-11 cursor-pointer flex-col justify-center rounded-md px-3 py-1.5 leading-(--leading-control) hover:bg-gold-50', index === active && 'bg-gold-50 text-gold-800')}
        >
          <span className="flex items-center gap-2">{suggestion.isPast ? <><History aria-hidden size={16} className="shrink-0 text-ink-500" /><bdi>{suggestion.label}</bdi></> : suggestion.label}</span>
          {suggestion.detail ? <span className="text-sm text-ink-500">{suggestion.detail}</span> : null}
        </div>
      ))}
    </div>
  );
}
