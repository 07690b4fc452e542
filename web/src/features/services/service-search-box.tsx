import { useState } from 'react';
import { sanitizeForQuote } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { SearchField } from '#ui/search/search-field.tsx';
import type { ServiceSuggestion } from '@diwan/contract/catalogue/services';
import { useServiceSuggestions } from './services.data.ts';

interface ServiceSearchBoxProps {
  /** The current query; the field follows its changes. */
  initial?: string;
  accountTypeId?: number;
  onSearch: (text: string) => void;
  onClear?: () => void;
  size?: 'md' | 'lg';
}

const servicesForm = { address: '/services', parameter: 'q' };

/**
 * The search for services: a suggestion opens a service, Enter lists the matches. Source:
 * specification §2.
 */
export function ServiceSearchBox({
  initial = '',
  accountTypeId,
  onSearch,
  onClear,
  size,
}: ServiceSearchBoxProps) {
  const { t } = useTranslation('services');
  const [text, setText] = useState(initial);
  const [shownFor, setShownFor] = useState(initial);
  const [sent, setSent] = useState<string>();
  if (shownFor !== initial) {
    setShownFor(initial);
    setSent(undefined);
    // A query submitted here arrives when the user may already be typing the next one; a query from
    // elsewhere replaces the text.
    if (initial !== sent) setText(initial);
  }
  const [isActive, setIsActive] = useState(false);
  // Requested for each letter: the previous request is aborted, and its result stays until the next
  // arrives.
  const { data, isFetching } = useServiceSuggestions(isActive ? text : '', accountTypeId);
  const suggestionsOf = (services: readonly ServiceSuggestion[] = []) =>
    services.map((service) => ({
      id: String(service.id),
      label: service.name,
      detail: service.governmentAgency.name,
    }));
  return (
    <SearchField
      label={t('search.label')}
      form={servicesForm}
      placeholder={t('search.placeholder')}
      size={size}
      value={text}
      onChange={setText}
      onSubmit={(sought) => {
        setSent(sought);
        onSearch(sought);
      }}
      onClear={onClear}
      onIntent={() => setIsActive(true)}
      isSearching={isFetching}
      suggestions={suggestionsOf(data)}
      texts={{
        history: t('search.history'),
        forget: t('search.forgetHistory'),
      }}
      onSelect={({ id }) => {
        if (text.trim() !== '')
          void import('./record-search.ts').then(({ countSearch }) => {
            countSearch(text);
            countSearch(text, Number(id));
          }, console.error);
        void import('./choose-service.ts').then(
          ({ chooseService }) => chooseService(Number(id), accountTypeId),
          console.error,
        );
      }}
    />
  );
}

/** Offers the spelling that the list shows results for. */
export function DidYouMean({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation('services');
  const [before, after] = t('listing.didYouMean', { search: '\n' }).split('\n');
  return (
    <p role="status" className="text-ink-700">
      <span>{before}</span>
      <button type="button" onClick={() => onSearch(text)} className="link min-h-9 font-medium">
        <bdi>{sanitizeForQuote(text)}</bdi>
      </button>
      <span>{after}</span>
    </p>
  );
}
