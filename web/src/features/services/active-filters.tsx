import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { quotableText } from '../../lib/i18n/quotable-text.ts';
import type { ServiceFilters } from './service-filters.ts';
import { useAccountTypes, useAgencies, useCategories } from './services.data.ts';

/** What the list is narrowed to, each a way to widen it again. */
export function ActiveFilters({
  filters,
  onChange,
}: {
  filters: ServiceFilters;
  onChange: (filters: ServiceFilters) => void;
}) {
  const { t } = useTranslation('services');
  const categories = useCategories(undefined, filters.serviceCategoryId !== undefined).data;
  const agencies = useAgencies(undefined, filters.governmentAgencyId !== undefined).data;
  const accountTypes = useAccountTypes(filters.accountTypeId !== undefined).data;
  const chips = [
    {
      key: 'serviceSerach' as const,
      text: filters.serviceSerach && quotableText(filters.serviceSerach),
    },
    {
      key: 'accountTypeId' as const,
      text:
        filters.accountTypeId &&
        accountTypes?.find((each) => each.accountTypeId === filters.accountTypeId)?.accountTypeName,
    },
    {
      key: 'serviceCategoryId' as const,
      text:
        filters.serviceCategoryId &&
        categories?.find((each) => each.id === filters.serviceCategoryId)?.name,
    },
    {
      key: 'governmentAgencyId' as const,
      text:
        filters.governmentAgencyId &&
        agencies?.find((each) => each.id === filters.governmentAgencyId)?.name,
    },
  ].filter((chip) => chip.text);
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t('filters.title')} className="flex max-w-full min-w-0 flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.key} className="max-w-full">
          <button
            type="button"
            aria-label={t('filters.remove', { name: chip.text })}
            onClick={() => onChange({ ...filters, [chip.key]: undefined, pageNumber: undefined })}
            className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-gold-300 bg-gold-50 ps-4 pe-3 text-sm leading-(--leading-control) font-medium text-gold-800 hover:border-gold-600 md:min-h-9"
          >
            <bdi className="truncate">{chip.text}</bdi>
            <X aria-hidden size={16} className="shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}
