import { History, Star } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from '../../lib/browser/class-names.ts';
import { matchedParts } from './matched-parts.ts';
import { optionId, type Suggestion, type SuggestionGroup } from './search-suggestions.ts';

interface SuggestionListProps {
  id: string;
  label: string;
  groups: readonly SuggestionGroup[];
  /** What was typed; where a suggestion holds it, it is marked. */
  query: string;
  active: number;
  onSelect: (suggestion: Suggestion) => void;
}

// Weight would part the joined letters of Arabic, so what matches is marked by its ground.
function Matched({ text, query }: { text: string; query: string }) {
  return matchedParts(text, query).map((part, index) =>
    part.isMatch ? (
      <mark key={index} className="rounded-sm bg-gold-100 text-inherit">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}

const icons = { past: History, popular: Star };

function Option({ suggestion, query }: { suggestion: Suggestion; query: string }) {
  const Icon = suggestion.kind && icons[suggestion.kind];
  return (
    <>
      {Icon ? (
        <Icon aria-hidden size={16} className="mt-[calc((1lh-16px)/2)] shrink-0 text-ink-500" />
      ) : null}
      <span className="min-w-0">
        {suggestion.kind === 'past' ? (
          <bdi className="line-clamp-1 wrap-anywhere">{suggestion.label}</bdi>
        ) : (
          <span className="block">
            <Matched text={suggestion.label} query={query} />
          </span>
        )}
        {suggestion.detail ? (
          <span className="block text-sm text-ink-500">{suggestion.detail}</span>
        ) : null}
      </span>
    </>
  );
}

/** The list under a search box; focus stays in the box. At most 240 px high (specification §9). */
export function SuggestionList({
  id,
  label,
  groups,
  query,
  active,
  onSelect,
}: SuggestionListProps) {
  useEffect(() => {
    const option = document.getElementById(optionId(id, active));
    // With the first of a group its heading comes into sight too.
    if (option?.previousElementSibling?.id.endsWith('-title'))
      option.previousElementSibling.scrollIntoView({ block: 'nearest' });
    option?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const option = (suggestion: Suggestion, index: number) => (
    // The keys are the search box's, where the focus stays.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      key={`${suggestion.kind}-${suggestion.id}`}
      id={optionId(id, index)}
      role="option"
      aria-selected={index === active}
      onClick={() => onSelect(suggestion)}
      className={classNames(
        'flex min-h-11 cursor-pointer items-start gap-2 rounded-md px-3 py-2 leading-(--leading-control) hover:bg-gold-50',
        index === active && 'bg-gold-50 text-gold-800 outline-2 -outline-offset-2 outline-gold-600',
      )}
    >
      <Option suggestion={suggestion} query={query} />
    </div>
  );
  return (
    // Chromium would stop at it with Tab, because it scrolls.
    <div
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      className="max-h-60 overflow-y-auto"
    >
      {groups.map((group, place) => {
        const begin = groups.slice(0, place).reduce((sum, { items }) => sum + items.length, 0);
        const options = group.items.map((suggestion, index) => option(suggestion, begin + index));
        if (!group.title) return options;
        return (
          <div key={group.title} role="group" aria-labelledby={`${id}-${place}-title`}>
            <div
              id={`${id}-${place}-title`}
              role="presentation"
              className="px-3 pt-2 pb-1 text-sm font-semibold leading-(--leading-control) text-ink-600"
            >
              {group.title}
            </div>
            {options}
          </div>
        );
      })}
    </div>
  );
}
