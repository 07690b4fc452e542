import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceSuggestion } from '@diwan/contract/catalogue/services';
import { SearchField } from '../../ui/search/search-field.tsx';
import { usePopularServices, useServiceSuggestions } from './services.data.ts';

interface ServiceSearchBoxProps {
  /** What was searched for; when it changes, so does what the box holds. */
  initial?: string;
  accountTypeId?: number;
  onSearch: (text: string) => void;
  onClear?: () => void;
  size?: 'md' | 'lg';
}

/** Suggestions open a service; Enter lists what fits. Source: specification §2. */
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
    // What was asked for here arrives when somebody may be typing the next already; what comes from
    // elsewhere replaces the text.
    if (initial !== sent) setText(initial);
  }
  const [isReached, setIsReached] = useState(false);
  // Asked for with every letter: the question before is given up, and its answer stays until the
  // next is here.
  const { data, isFetching } = useServiceSuggestions(isReached ? text : '', accountTypeId);
  const popular = usePopularServices(isReached);
  const suggestionsOf = (services: readonly ServiceSuggestion[] = [], kind?: 'popular') =>
    services.map((service) => ({
      id: String(service.id),
      label: service.name,
      detail: service.governmentAgency.name,
      kind,
    }));
  return (
    <SearchField
      label={t('search.label')}
      placeholder={t('search.placeholder')}
      size={size}
      value={text}
      onChange={setText}
      onSubmit={(sought) => {
        setSent(sought);
        onSearch(sought);
      }}
      onClear={onClear}
      onReach={() => setIsReached(true)}
      isSearching={isFetching}
      suggestions={suggestionsOf(data)}
      popular={suggestionsOf(popular.data, 'popular')}
      texts={{
        history: t('search.history'),
        popular: t('search.popular'),
        forget: t('search.forgetHistory'),
      }}
      onSelect={({ id }) =>
        void import('./choose-service.ts').then(
          ({ chooseService }) => chooseService(Number(id), accountTypeId),
          console.error,
        )
      }
    />
  );
}
