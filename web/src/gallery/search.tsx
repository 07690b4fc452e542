import { useId } from 'react';
import { controlStyle } from '../ui/forms/field-frame.tsx';
import { DayPeriod } from '../ui/search/day-period.tsx';
import { FilterChips, PrintedFilters } from '../ui/search/filter-chips.tsx';
import { KeywordField } from '../ui/search/keyword-field.tsx';
import { SearchField } from '../ui/search/search-field.tsx';
import type { Suggestion, SuggestionGroup } from '../ui/search/search-suggestions.ts';
import { ServiceChoice } from '../ui/search/service-choice.tsx';
import { SuggestionList } from '../ui/search/suggestion-list.tsx';
import { Controlled, ignore, type Examples, type Stories } from './story.tsx';

const matches = (texts: Examples) =>
  texts.matches.map((match, index): Suggestion => ({ id: String(index), ...match }));

const past = (texts: Examples) =>
  texts.past.map((label): Suggestion => ({ id: label, label, kind: 'past' }));

function OpenList({
  texts,
  query = '',
  groups,
}: {
  texts: Examples;
  query?: string;
  groups: readonly SuggestionGroup[];
}) {
  const id = useId();
  return (
    <div className="rounded-md border border-ink-200 bg-white p-1 shadow-soft">
      {/* Such a list belongs to a field, which keeps the focus. */}
      <input
        role="combobox"
        aria-label={texts.searchLabel}
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        readOnly
        value={query}
        className={controlStyle}
      />
      <SuggestionList
        id={id}
        label={texts.searchLabel}
        groups={groups}
        query={query}
        active={-1}
        onSelect={ignore}
      />
    </div>
  );
}

interface SearchState {
  initial?: string;
  suggestions?: readonly Suggestion[];
  isSearching?: boolean;
  size?: 'md' | 'lg';
}

const searchField = (
  texts: Examples,
  { initial = '', suggestions = matches(texts), ...props }: SearchState,
) => (
  <Controlled initial={initial}>
    {(field) => (
      <SearchField
        form={{ address: '/services', parameter: 'q' }}
        {...props}
        {...field}
        label={texts.searchLabel}
        placeholder={texts.searchPlaceholder}
        suggestions={suggestions}
        texts={{ history: texts.history, forget: texts.forget }}
        onSubmit={ignore}
        onSelect={({ label }) => field.onChange(label)}
      />
    )}
  </Controlled>
);

const keywordField = (texts: Examples, initial: string) => (
  <Controlled initial={initial}>
    {(field) => (
      <div className="flex items-end gap-2">
        <KeywordField
          {...field}
          label={texts.searchLabel}
          placeholder={texts.searchPlaceholder}
          onClear={ignore}
        />
      </div>
    )}
  </Controlled>
);

export const searchStories: Stories = (texts) => [
  {
    name: 'KeywordField',
    states: { empty: keywordField(texts, ''), filled: keywordField(texts, texts.query) },
  },
  {
    name: 'DayPeriod',
    states: {
      filled: (
        <DayPeriod
          from="2026-11-01"
          until="2026-11-30"
          labels={{ from: texts.from, until: texts.until }}
          onChange={ignore}
        />
      ),
    },
  },
  {
    name: 'FilterChips',
    states: {
      several: (
        <FilterChips
          active={texts.past.map((text) => ({ text, without: text }))}
          onChange={ignore}
          onClear={ignore}
        />
      ),
    },
  },
  {
    name: 'PrintedFilters',
    states: { 'on paper only': <PrintedFilters texts={texts.past} /> },
  },
  {
    name: 'ServiceChoice',
    states: { empty: <ServiceChoice serviceId={undefined} onChange={ignore} isOptional /> },
  },
  {
    name: 'SearchField',
    isWide: true,
    states: {
      empty: searchField(texts, {}),
      'large, filled': searchField(texts, { initial: texts.query, size: 'lg' }),
      'nothing found': searchField(texts, { initial: 'xyz', suggestions: [] }),
      searching: searchField(texts, { initial: texts.query, suggestions: [], isSearching: true }),
    },
  },
  {
    name: 'SuggestionList',
    states: {
      'matches of the text': (
        <OpenList texts={texts} query={texts.query} groups={[{ items: matches(texts) }]} />
      ),
      'past searches and matches': (
        <OpenList
          texts={texts}
          groups={[{ title: texts.history, items: past(texts) }, { items: matches(texts) }]}
        />
      ),
    },
  },
];
