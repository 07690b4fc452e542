import { Search, X } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../lib/class-names.ts';
import { Button } from './button.tsx';
import { addToSearchHistory, readSearchHistory } from './search-history.ts';
import { optionId, SuggestionList, type Suggestion } from './suggestion-list.tsx';

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter or the button; not called for a blank text. */
  onSubmit: (value: string) => void;
  /** The text was emptied by its button. */
  onClear?: () => void;
  suggestions: readonly Suggestion[];
  onSelect: (suggestion: Suggestion) => void;
  isSearching?: boolean;
  size?: 'md' | 'lg';
}

/**
 * Search with suggestions from the first letter, and the last 15 searches while empty (specification §5, §9). Our own combobox: the one of
 * react-aria hides the rest of the page from screen readers while its list is open, with things in it that can still be focused.
 */
export function SearchField({ label, placeholder, value, onChange, onSubmit, onClear, suggestions, onSelect, isSearching, size = 'md' }: SearchFieldProps) {
  const { t } = useTranslation('shell');
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [history, setHistory] = useState(readSearchHistory);
  const isBlank = value.trim() === '';
  const items: readonly Suggestion[] = isBlank ? history.map((text) => ({ id: text, label: text, isPast: true })) : suggestions;
  const isShown = isOpen && (items.length > 0 || !isBlank);
  const hasList = isShown && items.length > 0;

  const show = (open: boolean) => {
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
    if (!item.isPast) return onSelect(item);
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
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && items.length > 0) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(!isShown ? (step === 1 ? 0 : items.length - 1) : (active + step + items.length + (active === -1 && step === -1 ? 1 : 0)) % items.length);
      setIsOpen(true);
    }
  };

  return (
    <div role="search" className="relative flex w-full max-w-150 gap-2">
      <div className="relative min-w-0 grow">
        <span aria-hidden className="pointer-events-none absolute inset-y-0 start-4 flex items-center text-ink-500"><Search size={20} /></span>
        <input
          ref={input} type="search" role="combobox" aria-label={label} aria-expanded={hasList} aria-controls={hasList ? listId : undefined} aria-autocomplete="list" aria-activedescendant={isShown && active >= 0 ? optionId(listId, active) : undefined}
          enterKeyHint="search" autoComplete="off" placeholder={placeholder} value={value} onKeyDown={onKeyDown} onClick={() => setIsOpen(true)} onBlur={() => show(false)}
          onChange={(event) => { onChange(event.target.value); setIsOpen(true); setActive(-1); }}
          className={classNames('h-full w-full rounded-md border border-ink-400 bg-white ps-12 pe-12 leading-(--leading-control) placeholder:text-ink-500 hover:border-ink-600', size === 'lg' ? 'min-h-14' : 'min-h-12')}
        />
        {value === '' ? null : (
          <button type="button" aria-label={t('kit.clear')} onClick={() => { onChange(''); onClear?.(); input.current?.focus(); }} className="absolute inset-y-0 end-0.5 flex w-11 items-center justify-center rounded-md text-ink-500 -outline-offset-4 hover:text-ink-900">
            <X aria-hidden size={20} />
          </button>
        )}
      </div>
      <Button size={size} aria-label={t('kit.search')} onPress={() => submit(value)}>
        <Search aria-hidden size={20} className="sm:hidden" />
        <span className="max-sm:sr-only">{t('kit.search')}</span>
      </Button>
      {isShown ? (
        // Pressing in the list must not take the focus from the box.
        <div role="presentation" onMouseDown={(event) => event.preventDefault()} className="absolute inset-x-0 top-full z-40 mt-2 rounded-md border border-ink-200 bg-white p-1 shadow-soft animate-enter">
          {hasList ? <SuggestionList id={listId} label={label} suggestions={items} active={active} onSelect={select} /> : <p className="px-3 py-2 text-ink-500">{t(isSearching ? 'kit.searching' : 'kit.notFound')}</p>}
        </div>
      ) : null}
      <p role="status" className="sr-only">{!isShown || isBlank || isSearching ? '' : items.length === 0 ? t('kit.notFound') : t('kit.suggestions', { count: items.length })}</p>
    </div>
  );
}
