import { useState } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import {
  getManagedServices,
  getServiceNameByServiceId,
  serviceSearch,
} from '@diwan/contract/catalogue/services';
import { ComboField } from '../forms/combo-field.tsx';

/**
 * A service, found by typing: a portal may have thousands. An agency administrator finds those of their
 * agencies.
 */
export function ServiceChoice({
  serviceId,
  onChange,
  name,
  error,
  isDisabled,
  isOptional,
}: {
  serviceId: number | undefined;
  onChange: (serviceId: number | undefined) => void;
  name?: string;
  error?: string | undefined;
  isDisabled?: boolean;
  isOptional?: boolean;
}) {
  const { t } = useTranslation('services');
  const [text, setText] = useState('');
  const chosen = useCall(getServiceNameByServiceId, {
    query: { serviceId: serviceId ?? 0 },
    enabled: serviceId !== undefined,
    skipErrorHandling: true,
    staleTime: 3_600_000,
  });
  const label = serviceId === undefined ? '' : (chosen.data?.name ?? '');
  const isTyped = text.trim() !== '' && text !== label;
  const typed = text.trim().slice(0, 100);
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const search = useCall(serviceSearch, {
    query: isTyped ? { Name: typed } : { Pobular: 'true' },
    enabled: !isOfAgency,
    keepPrevious: true,
    staleTime: 60_000,
  });
  const managed = useCall(getManagedServices, {
    query: { SearchKeyword: isTyped ? typed : undefined, PageSize: 15 },
    enabled: isOfAgency,
    keepPrevious: true,
    staleTime: 60_000,
  });
  const found = isOfAgency ? managed.data?.items : search.data;
  const own = label === '' ? [] : [{ value: String(serviceId), label }];
  return (
    <ComboField
      // The box takes the name of the chosen service when it is known.
      key={label}
      name={name}
      label={t('choice.service')}
      placeholder={t('choice.placeholder')}
      value={serviceId === undefined ? '' : String(serviceId)}
      onChange={(value) => onChange(value === '' ? undefined : Number(value))}
      onSearch={setText}
      error={error}
      isDisabled={isDisabled}
      isOptional={isOptional}
      choices={[
        ...own,
        ...(found ?? [])
          .filter(({ id }) => id !== serviceId)
          .map((service) => ({ value: String(service.id), label: service.name })),
      ]}
    />
  );
}
