import { Search, X } from 'lucide-react';
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLazyComponent } from '#lib/page/lazy-component.ts';
import { Button } from '../actions/button.tsx';
import { addToSearchHistory, clearSearchHistory, readSearchHistory } from './search-history.ts';
import {
  optionByKey,
  optionId,
  type Suggestion,
  type SuggestionGroup,
} from './search-suggestions.ts';

interface SearchFieldProps {
  label: string;
  /** Without a script the form opens this address with the text as a parameter. */
  form: { address: string; parameter: string };
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** Called on Enter or by the button; not for a blank text. */
  onSubmit: (value: string) => void;
  /** The text was cleared by the button. */
  onClear?: () => void;
  /** The pointer enters the field or it gets the focus. */
  onIntent?: () => void;
  suggestions: readonly Suggestion[];
  texts: { history: string; forget: string };
  onSelect: (suggestion: Suggestion) => void;
  isSearching?: boolean;
  size?: 'md' | 'lg';
}

const activeOptionId = (listId: string, active: number) =>
  active >= 0 ? optionId(listId, active) : undefined;

/** Few, so that the suggestions below them are seen without scrolling. */
const maximumPast = 3;

/** The last searches that contain the text, without the text itself. */
const pastSearches = (history: readonly string[], text: string): Suggestion[] =>
  history
    .filter((past) => past !== text && past.toLowerCase().includes(text.toLowerCase()))
    .slice(0, maximumPast)
    .map((past) => ({ id: past, label: past, kind: 'past' }));

const nonEmptyGroups = (groups: readonly SuggestionGroup[]) =>
  groups.filter(({ items }) => items.length > 0);

function ClearButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <button
      type="button"
      aria-label={t('kit.clear')}
      onClick={onPress}
      className={classNames(
        'absolute inset-y-0 end-0.5 flex w-11 items-center justify-center rounded-md',
        'text-ink-500 -outline-offset-4 hover:text-ink-900',
      )}
    >
      <X aria-hidden size={20} />
    </button>
  );
}

function NothingFound({ isSearching }: { isSearching: boolean | undefined }) {
  const { t } = useTranslation('shell');
  return (
    <p className="px-3 py-2 text-ink-500">{t(isSearching ? 'kit.searching' : 'kit.notFound')}</p>
  );
}

type SuggestionsProps = Pick<
  SearchFieldProps,
  'value' | 'onChange' | 'onSubmit' | 'onIntent' | 'suggestions' | 'texts' | 'onSelect'
>;

/** The list of suggestions: what it holds, whether it is open, and the keys that move in it. */
function useSuggestions({
  value,
  onChange,
  onSubmit,
  onIntent,
  suggestions,
  texts,
  onSelect,
}: SuggestionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [history, setHistory] = useState(readSearchHistory);
  const { component: List, preload } = useLazyComponent(() =>
    import('./suggestion-list.tsx').then((file) => file.SuggestionList),
  );
  const typed = value.trim();
  const past = typed === '' ? [] : pastSearches(history, typed);
  const groups = nonEmptyGroups([{ title: texts.history, items: past }, { items: suggestions }]);
  const items = groups.flatMap((group) => group.items);
  // Nothing is suggested for a blank text (specification §5).
  const isShown = isOpen && List !== undefined && typed !== '';

  const prepare = () => {
    preload();
    onIntent?.();
  };
  const show = (open: boolean) => {
    if (open) prepare();
    setIsOpen(open);
    setActive(-1);
  };
  const submit = (text: string) => {
    show(false);
    if (text.trim() === '') return;
    addToSearchHistory(text);
    setHistory(readSearchHistory());
    onSubmit(text.trim());
  };
  const select = (item: Suggestion) => {
    show(false);
    if (item.kind !== 'past') return onSelect(item);
    onChange(item.label);
    submit(item.label);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const item = items[active];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isShown && item) select(item);
      else submit(value);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      show(false);
    } else {
      // The list opens also while suggestions are loading.
      const next = optionByKey(event.key, isShown ? active : -1, items.length);
      if (next === undefined) return;
      event.preventDefault();
      show(true);
      setActive(next);
    }
  };
  return {
    List: isShown && items.length > 0 ? List : undefined,
    active,
    groups,
    hasPast: past.length > 0,
    isShown,
    itemCount: items.length,
    hasSuggestions: suggestions.length > 0,
    preload,
    prepare,
    show,
    submit,
    select,
    onKeyDown,
    clearHistory: () => {
      clearSearchHistory();
      setHistory([]);
    },
  };
}

/** The suggestions, or that there are none; with past searches, a button that clears them. */
function SuggestionsContent({
  list: { List, groups, active, select, hasPast, hasSuggestions },
  id,
  label,
  query,
  isSearching,
  clearText,
  onClear,
}: {
  list: ReturnType<typeof useSuggestions>;
  id: string;
  label: string;
  query: string;
  isSearching: boolean | undefined;
  clearText: string;
  onClear: () => void;
}) {
  return (
    <>
      {List ? (
        <List
          id={id}
          label={label}
          groups={groups}
          query={query}
          active={active}
          onSelect={select}
        />
      ) : null}
      {hasSuggestions ? null : <NothingFound isSearching={isSearching} />}
      {hasPast ? (
        <button
          type="button"
          onClick={onClear}
          className="link m-1 min-h-11 px-2 text-sm md:min-h-9"
        >
          {clearText}
        </button>
      ) : null}
    </>
  );
}

/**
 * A search field with suggestions from the first letter, and those of the last 15 searches that
 * contain the text (specification §5, §9). A blank text opens no list. Our own combobox: that of
 * react-aria hides the rest of the page from screen readers while its list is open, although
 * focusable elements remain in it. The list is loaded when the user approaches the field: decision
 * 0008.
 */
export function SearchField({
  label,
  form,
  placeholder,
  onClear,
  isSearching,
  size,
  ...search
}: SearchFieldProps) {
  const { value, onChange, texts } = search;
  const { t } = useTranslation('shell');
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const list = useSuggestions(search);
  const { List, isShown, show } = list;
  const announce = (count: number) =>
    count === 0 ? t('kit.notFound') : t('kit.suggestions', { count });
  // The button in the list may get the focus, on the way over the one in the field; focus elsewhere
  // closes the list.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const open = list.hasPast ? currentTarget : popup.current;
    if (!open?.contains(relatedTarget)) show(false);
  };

  return (
    // It hears what happens in its controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      role="search"
      action={form.address}
      onBlur={onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        list.submit(value);
      }}
      className="relative flex w-full max-w-150 gap-2"
    >
      <div className="relative min-w-0 grow">
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 start-4 flex items-center text-ink-500"
        >
          <Search size={20} />
        </span>
        <input
          ref={input}
          type="search"
          name={form.parameter}
          role="combobox"
          aria-label={label}
          aria-expanded={List !== undefined}
          aria-controls={List ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={List ? activeOptionId(listId, list.active) : undefined}
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onKeyDown={list.onKeyDown}
          onPointerEnter={list.preload}
          onFocus={list.prepare}
          onClick={() => show(true)}
          onChange={(event) => {
            onChange(event.target.value);
            show(true);
          }}
          className={classNames(
            'h-full w-full rounded-md border border-ink-400 bg-white ps-12 pe-12',
            'leading-(--leading-control) placeholder:text-ink-500 hover:border-ink-600',
            size === 'lg' ? 'min-h-14' : 'min-h-12',
          )}
        />
        {value === '' ? null : (
          <ClearButton
            onPress={() => {
              onChange('');
              onClear?.();
              input.current?.focus();
            }}
          />
        )}
      </div>
      {isShown ? (
        // A press in the list must not move the focus away from the input.
        <div
          ref={popup}
          role="presentation"
          onMouseDown={(event) => event.preventDefault()}
          className={classNames(
            'absolute inset-x-0 top-full z-40 mt-2 rounded-md border border-ink-200 bg-white p-1',
            'shadow-soft animate-enter',
          )}
        >
          <SuggestionsContent
            list={list}
            id={listId}
            label={label}
            query={value}
            isSearching={isSearching}
            clearText={texts.forget}
            onClear={() => {
              list.clearHistory();
              input.current?.focus();
            }}
          />
        </div>
      ) : null}
      <Button size={size} type="submit" aria-label={t('kit.search')}>
        <Search aria-hidden size={20} className="sm:hidden" />
        <span className="max-sm:sr-only">{t('kit.search')}</span>
      </Button>
      <p role="status" className="sr-only">
        {isShown && !isSearching ? announce(list.itemCount) : ''}
      </p>
    </form>
  );
}
