import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { containsText } from '../../lib/i18n/match-text.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { CheckboxGroup } from '../../ui/forms/checkbox-group.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';

interface ProviderAgenciesProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  error?: string;
}

/**
 * The agencies that a provider works for; the list is found through while one types, and what is
 * chosen stays chosen.
 */
export function ProviderAgencies({ value, onChange, error }: ProviderAgenciesProps) {
  const { t } = useTranslation('partners');
  const agencies = useCall(governmentAgencyCollection, {});
  const [text, setText] = useState('');
  // What was chosen before stands at the top; what is chosen now does not jump away.
  const [before] = useState(value);
  if (agencies.error)
    return (
      <ErrorState
        error={agencies.error}
        onRetry={agencies.refetch}
        isRetrying={agencies.isRefetching}
      />
    );
  if (!agencies.data) return <SkeletonRows count={3} />;
  const isBefore = ({ id }: { id: number }) => before.includes(String(id));
  const shown = [
    ...agencies.data.filter(isBefore),
    ...agencies.data.filter((agency) => !isBefore(agency)),
  ].filter(
    ({ id, name }) => text.trim() === '' || containsText(name, text) || value.includes(String(id)),
  );
  const hidden = value.filter((id) => !shown.some((agency) => String(agency.id) === id));
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('form.findAgency')}
        isLabelHidden
        isOptional
        placeholder={t('form.findAgency')}
        value={text}
        onChange={setText}
        maxLength={200}
      />
      <div className="max-h-96 overflow-y-auto rounded-md border border-ink-200 p-4">
        <CheckboxGroup
          name="agencyIds"
          label={t('form.agencyIds')}
          description={t('form.agenciesHint')}
          value={value}
          error={error}
          choices={shown.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(next) => onChange([...hidden, ...next])}
        />
      </div>
    </div>
  );
}
