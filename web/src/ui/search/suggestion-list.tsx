import { History } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { normalizeForSearch } from '#lib/i18n/normalize.ts';
import { optionId, type Suggestion, type SuggestionGroup } from './search-suggestions.ts';

interface TextPart {
  text: string;
  isMatch: boolean;
}

/** The normalized text, and for each of its characters the index in the original text. */
function fold(text: string): { folded: string; positions: number[] } {
  const positions: number[] = [];
  let folded = '';
  let position = 0;
  for (const letter of text) {
    const plain = /\s/.test(letter) ? ' ' : normalizeForSearch(letter);
    for (let index = 0; index < plain.length; index += 1) positions.push(position);
    folded += plain;
    position += letter.length;
  }
  return { folded, positions };
}

type Range = [from: number, to: number];

function rangesOf(folded: string, wanted: string): Range[] {
  const whole = folded.indexOf(wanted);
  if (whole >= 0) return [[whole, whole + wanted.length]];
  const found = wanted.split(' ').map((word): Range => {
    const atStart = ` ${folded}`.indexOf(` ${word}`);
    const from = atStart >= 0 ? atStart : folded.indexOf(word);
    return [from, from + word.length];
  });
  const merged: Range[] = [];
  for (const [from, to] of found.filter(([from]) => from >= 0).sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Splits a text into matching and other parts, ignoring diacritics and letter variants. */
export function matchedParts(text: string, query: string): TextPart[] {
  const wanted = normalizeForSearch(query).replace(/\s+/g, ' ');
  if (wanted === '') return [{ text, isMatch: false }];
  const { folded, positions } = fold(text);
  const parts: TextPart[] = [];
  let end = 0;
  for (const [from, to] of rangesOf(folded, wanted)) {
    const first = positions[from] ?? text.length;
    const after = positions[to] ?? text.length;
    parts.push(
      { text: text.slice(end, first), isMatch: false },
      { text: text.slice(first, after), isMatch: true },
    );
    end = after;
  }
  return [...parts, { text: text.slice(end), isMatch: false }].filter((part) => part.text !== '');
}

interface SuggestionListProps {
  id: string;
  label: string;
  groups: readonly SuggestionGroup[];
  /** The typed text; matches in the suggestions are highlighted. */
  query: string;
  active: number;
  onSelect: (suggestion: Suggestion) => void;
}

// Bold would separate the joined letters of Arabic, so matches get a background.
function Matched({ text, query }: { text: string; query: string }) {
  return matchedParts(text, query).map((part, index) =>
    part.isMatch ? (
      <mark key={index} className="rounded-sm bg-gold-100 text-inherit">
        {part.text}
      </mark>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  );
}

function Option({ suggestion, query }: { suggestion: Suggestion; query: string }) {
  return (
    <>
      {suggestion.kind === 'past' ? (
        <History aria-hidden size={16} className="mt-[calc((1lh-16px)/2)] shrink-0 text-ink-500" />
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

/**
 * The list under the search field; the focus stays in the field. At most 240 px high (specification
 * §9).
 */
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
    // The heading of a group is scrolled into view with its first option.
    if (option?.previousElementSibling?.id.endsWith('-title'))
      option.previousElementSibling.scrollIntoView({ block: 'nearest' });
    option?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const option = (suggestion: Suggestion, index: number) => (
    // The search field, which keeps the focus, handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      key={`${suggestion.kind}-${suggestion.id}`}
      id={optionId(id, index)}
      role="option"
      aria-selected={index === active}
      onClick={() => onSelect(suggestion)}
      className={classNames(
        'flex min-h-11 cursor-pointer items-start gap-2 rounded-md',
        'px-3 py-2 leading-(--leading-control) hover:bg-gold-50',
        index === active && 'bg-gold-50 text-gold-800 outline-2 -outline-offset-2 outline-gold-600',
      )}
    >
      <Option suggestion={suggestion} query={query} />
    </div>
  );
  return (
    // Chromium makes scrollable elements focusable with Tab.
    <div
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      className="max-h-60 overflow-y-auto"
    >
      {groups.map((group, groupIndex) => {
        const firstIndex = groups
          .slice(0, groupIndex)
          .reduce((sum, { items }) => sum + items.length, 0);
        const options = group.items.map((suggestion, index) =>
          option(suggestion, firstIndex + index),
        );
        if (!group.title) return options;
        return (
          <div key={group.title} role="group" aria-labelledby={`${id}-${groupIndex}-title`}>
            <div
              id={`${id}-${groupIndex}-title`}
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
