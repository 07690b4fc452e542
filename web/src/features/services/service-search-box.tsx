import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { SearchField } from '../../ui/search-field.tsx';
import { addressToChoose } from './service-address.ts';
import { useServiceSuggestions } from './services.data.ts';
import { useDelayed } from './use-delayed.ts';

interface ServiceSearchBoxProps {
  /** What was searched for; the box is given a new `key` when it changes from outside. */
  initial?: string;
  accountTypeId?: number;
  onSearch: (text: string) => void;
  onClear?: () => void;
  size?: 'md' | 'lg';
}

/** Suggestions open a service; Enter lists what fits. Source: specification §2. */
export function ServiceSearchBox({ initial = '', accountTypeId, onSearch, onClear, size }: ServiceSearchBoxProps) {
  const { t } = useTranslation('services');
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  const asked = useDelayed(text, 150);
  const { data, isFetching } = useServiceSuggestions(asked);
  const isBehind = asked !== text || isFetching;
  return (
    <SearchField
      label={t('search.label')} placeholder={t('search.placeholder')} size={size} value={text} onChange={setText} onSubmit={onSearch} onClear={onClear} isSearching={isBehind}
      suggestions={text.trim() === '' ? [] : (data ?? []).map((service) => ({ id: service.replacedName, label: service.name, detail: service.governmentAgency.name }))}
      onSelect={(service) => {
        const { to, remember } = addressToChoose(service.id, accountTypeId);
        remember();
        void navigate(to);
      }}
    />
  );
}
