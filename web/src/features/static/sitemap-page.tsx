import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { generateDynamicSitemapFile, type ListedAgency } from '@diwan/contract/content/sitemap';
import { listedPages } from '@diwan/contract/portal/page-list';
import { servicePath } from '@diwan/contract/portal/pages';

function Agency({ agency, isOpen }: { agency: ListedAgency; isOpen: boolean }) {
  const { t } = useTranslation('static');
  return (
    <li>
      <details open={isOpen} className="group">
        <summary
          className={classNames(
            'flex min-h-14 list-none items-center gap-3 py-2',
            'hover:bg-desert-50 [&::-webkit-details-marker]:hidden',
          )}
        >
          <img
            src={agency.logo}
            alt=""
            width={36}
            height={36}
            loading="lazy"
            className="size-9 shrink-0"
          />
          <h3 className="min-w-0 grow text-base">{agency.name}</h3>
          <span className="shrink-0 text-sm text-ink-600">
            {t('sitemap.servicesCount', { count: agency.services.length })}
          </span>
          <ChevronDown
            aria-hidden
            size={20}
            className="shrink-0 text-ink-500 transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <ul className="gap-x-8 ps-12 pt-1 pb-5 md:columns-2 lg:columns-3">
          {agency.services.map((service) => (
            <li key={service.replacedName} className="break-inside-avoid">
              <Link
                to={`${servicePath}${encodeURIComponent(service.replacedName)}`}
                className="link inline-block py-1.5"
              >
                {service.name}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** All services by agency, in collapsible sections. */
function SitemapServices() {
  const { t } = useTranslation('static');
  const [isAllOpen, setIsAllOpen] = useState(false);
  const content = useCall(generateDynamicSitemapFile, { skipErrorHandling: true });
  const agencies = content.data?.agencies;
  return (
    <section aria-labelledby="by-agency" className="mt-14">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <h2 id="by-agency" className="text-xl">
          {t('sitemap.byAgency')}
        </h2>
        {agencies ? (
          <Button variant="secondary" size="sm" onPress={() => setIsAllOpen(!isAllOpen)}>
            {t(isAllOpen ? 'sitemap.hideAll' : 'sitemap.showAll')}
          </Button>
        ) : null}
      </div>
      {agencies ? (
        <ul key={String(isAllOpen)} className="divide-y divide-ink-100 border-y border-ink-100">
          {agencies.map((agency) => (
            <Agency key={agency.id} agency={agency} isOpen={isAllOpen} />
          ))}
        </ul>
      ) : null}
      {!agencies && content.error ? (
        <ErrorState
          error={content.error}
          title={t('sitemap.failed')}
          onRetry={content.refetch}
          isRetrying={content.isFetching}
        />
      ) : null}
      {!agencies && !content.error ? (
        <Skeleton>
          <SkeletonRows count={6} />
        </Skeleton>
      ) : null}
    </section>
  );
}

const sections = ['services', 'requests', 'about'] as const;

const pagesOf = (section: (typeof sections)[number]) =>
  listedPages.filter((page) => page.listed.section === section && page.name !== 'sitemap');

/** The site map as a page; search engines get a file at the same address (decision 0014). */
export function SitemapPage() {
  const { t } = useTranslation(['static', 'pages']);
  const { t: shell } = useTranslation('shell');
  const home = useHomeAddress();
  usePageTitle(t('sitemap.title'));
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('sitemap.title')}
        lead={t('sitemap.lead')}
        crumbs={[{ label: shell('navigation.home'), to: home }, { label: t('sitemap.title') }]}
      />
      <div className="grid gap-8 md:grid-cols-3">
        {sections.map((section) => (
          <section key={section} aria-labelledby={`pages-${section}`}>
            <h2 id={`pages-${section}`} className="mb-2 border-b border-ink-200 pb-2 text-lg">
              {t(`sitemap.sections.${section}`)}
            </h2>
            <ul>
              {pagesOf(section).map((page) => (
                <li key={page.name}>
                  <Link to={page.address} className="link inline-block py-1.5">
                    {page.name === 'home'
                      ? shell('navigation.home')
                      : t(`titles.${page.name}`, { ns: 'pages' })}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <SitemapServices />
    </div>
  );
}
