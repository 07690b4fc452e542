import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { localeOf, useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { getAllServicesByAccountType } from '@diwan/contract/catalogue/services';
import type { Language } from '@diwan/contract/wire/languages';
import { serviceLink } from './service-address.ts';
import { staleTime } from './services.data.ts';

interface Named {
  id: number;
  name: string;
}

/** The services of each category; categories and services are in the order of their names. */
function groupByCategory<Service extends Named & { serviceCategory: Named }>(
  services: readonly Service[],
  language: Language,
): { category: Named; services: Service[] }[] {
  const collator = new Intl.Collator(localeOf(language), { numeric: true });
  const byName = (one: Named, other: Named) => collator.compare(one.name, other.name);
  const categories = new Map(
    services.map((each) => [each.serviceCategory.id, each.serviceCategory]),
  );
  return [...categories.values()].toSorted(byName).map((category) => ({
    category,
    services: services.filter((each) => each.serviceCategory.id === category.id).toSorted(byName),
  }));
}

/** The names of every service, or of those of an account type, by category. */
export function ServicesByCategory({ accountTypeId }: { accountTypeId?: number }) {
  const { t } = useTranslation('services');
  const { language } = useLanguage();
  const { data, error, refetch, isFetching } = useCall(getAllServicesByAccountType, {
    query: { AccountTypeId: accountTypeId },
    staleTime,
    skipErrorHandling: true,
  });
  if (error && !data)
    return (
      <ErrorState
        error={error}
        title={t('listing.failed')}
        onRetry={refetch}
        isRetrying={isFetching}
      />
    );
  if (!data) return <SkeletonRows />;
  return (
    <>
      {accountTypeId === undefined || data.length === 0 ? null : (
        <p className="text-ink-600">{t('listing.total', { count: data.length })}</p>
      )}
      {groupByCategory(data, language).map(({ category, services }) => (
        <section key={category.id} aria-labelledby={`category-${category.id}`}>
          <h2 id={`category-${category.id}`} className="mb-2 text-lg">
            {category.name}
          </h2>
          <ul className="gap-x-8 md:columns-2 lg:columns-3">
            {services.map((service) => (
              <li key={service.id} className="break-inside-avoid">
                <Link {...serviceLink(service, accountTypeId)} className="link inline-block py-1.5">
                  {service.name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Every service of an account type on one page, by category. It is loaded when it is opened. */
export function AllServices({ accountTypeId }: { accountTypeId: number }) {
  const { t } = useTranslation('services');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="group mt-8 rounded-lg border border-ink-200 bg-white"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary
        className={classNames(
          'flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-4 py-3',
          'font-medium md:px-6 [&::-webkit-details-marker]:hidden',
        )}
      >
        {t('allInOneList')}
        <ChevronDown
          aria-hidden
          size={20}
          className="shrink-0 text-ink-500 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-6 border-t border-ink-100 p-4 md:p-6">
        {isOpen ? <ServicesByCategory accountTypeId={accountTypeId} /> : null}
      </div>
    </details>
  );
}
