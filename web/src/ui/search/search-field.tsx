import { Search, X } from 'lucide-react';
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/browser/class-names.ts';
import { useLatePart } from '../../lib/page/late-part.ts';
import { Button } from '../actions/button.tsx';
import { addToSearchHistory, forgetSearchHistory, readSearchHistory } from './search-history.ts';
import { optionByKey, optionId, type Suggestion } from './search-suggestions.ts';

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter or the button; not called for a blank text. */
  onSubmit: (value: string) => void;
  /** The text was emptied by its button. */
  onClear?: () => void;
  /** Somebody is about to use the box. */
  onReach?: () => void;
  suggestions: readonly Suggestion[];
  /** What is asked for most; shown with the last searches while the box is empty. */
  popular?: readonly Suggestion[];
  texts: { history: string; popular: string; forget: string };
  onSelect: (suggestion: Suggestion) => void;
  isSearching?: boolean;
  size?: 'md' | 'lg';
}

/**
 * Search with suggestions from the first letter, and the last 15 searches while empty
 * (specification §5, §9). Our own combobox: the one of
 * react-aria hides the rest of the page from screen readers while its list is open, with things in
 * it that can still be focused. The list comes
 * when somebody reaches for the box: decision 0008.
 */
export function SearchField({
  label,
  placeholder,
  value,
  onChange,
  onSubmit,
  onClear,
  onReach,
  suggestions,
  popular = [],
  texts,
  onSelect,
  isSearching,
  size = 'md',
}: SearchFieldProps) {
  const { t } = useTranslation('shell');
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [history, setHistory] = useState(readSearchHistory);
  const { part: List, prepare } = useLatePart(() =>
    import('./suggestion-list.tsx').then((file) => file.SuggestionList),
  );
  const isBlank = value.trim() === '';
  const past = history.map((text): Suggestion => ({ id: text, label: text, kind: 'past' }));
  const groups = (
    isBlank
      ? [
          { title: texts.history, items: past },
          { title: texts.popular, items: popular },
        ]
      : [{ items: suggestions }]
  ).filter(({ items }) => items.length > 0);
  const items = groups.flatMap((group) => group.items);
  const isShown = isOpen && List !== undefined && (items.length > 0 || !isBlank);
  const hasList = isShown && items.length > 0;

  const reach = () => {
    prepare();
    onReach?.();
  };
  const show = (open: boolean) => {
    if (open) reach();
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
  const forget = () => {
    forgetSearchHistory();
    setHistory([]);
    input.current?.focus();
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
      // What is still on its way is waited for with the list open.
      const next = optionByKey(event.key, isShown ? active : -1, items.length);
      if (next === undefined) return;
      event.preventDefault();
      show(true);
      setActive(next);
    }
  };
  // The button in the list may have the focus; anything else closes it.
  const onBlur = (event: FocusEvent) => {
    if (!popup.current?.contains(event.relatedTarget)) show(false);
  };

  return (
    <div role="search" className="relative flex w-full max-w-150 gap-2">
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
          role="combobox"
          aria-label={label}
          aria-expanded={hasList}
          aria-controls={hasList ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={hasList && active >= 0 ? optionId(listId, active) : undefined}
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onKeyDown={onKeyDown}
          onPointerEnter={prepare}
          onFocus={reach}
          onClick={() => show(true)}
          onBlur={onBlur}
          onChange={(event) => {
            onChange(event.target.value);
            show(true);
          }}
          className={classNames(
            'h-full w-full rounded-md border border-ink-400 bg-white ps-12 pe-12 leading-(--leading-control) placeholder:text-ink-500 hover:border-ink-600',
            size === 'lg' ? 'min-h-14' : 'min-h-12',
          )}
        />
        {value === '' ? null : (
          <button
            type="button"
            aria-label={t('kit.clear')}
            onClick={() => {
              onChange('');
              onClear?.();
              input.current?.focus();
            }}
            className="absolute inset-y-0 end-0.5 flex w-11 items-center justify-center rounded-md text-ink-500 -outline-offset-4 hover:text-ink-900"
          >
            <X aria-hidden size={20} />
          </button>
        )}
      </div>
      {isShown ? (
        // Pressing in the list must not take the focus from the box.
        <div
          ref={popup}
          role="presentation"
          onBlur={onBlur}
          onMouseDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-40 mt-2 rounded-md border border-ink-200 bg-white p-1 shadow-soft animate-enter"
        >
          {hasList ? (
            <List
              id={listId}
              label={label}
              groups={groups}
              query={value}
              active={active}
              onSelect={select}
            />
          ) : (
            <p className="px-3 py-2 text-ink-500">
              {t(isSearching ? 'kit.searching' : 'kit.notFound')}
            </p>
          )}
          {isBlank && past.length > 0 ? (
            <button
              type="button"
              onClick={forget}
              className="link m-1 min-h-11 px-2 text-sm md:min-h-9"
            >
              {texts.forget}
            </button>
          ) : null}
        </div>
      ) : null}
      <Button size={size} aria-label={t('kit.search')} onPress={() => submit(value)}>
        <Search aria-hidden size={20} className="sm:hidden" />
        <span className="max-sm:sr-only">{t('kit.search')}</span>
      </Button>
      <p role="status" className="sr-only">
        {!isShown || isSearching
          ? ''
          : items.length === 0
            ? t('kit.notFound')
            : t('kit.suggestions', { count: items.length })}
      </p>
    </div>
  );
}
