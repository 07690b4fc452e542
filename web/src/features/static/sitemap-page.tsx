import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { publicPages } from '@diwan/contract/catalogue/sitemap';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { SitemapServices } from './sitemap-services.tsx';

const sections = ['services', 'requests', 'about'] as const;

const pagesOf = (section: (typeof sections)[number]) =>
  publicPages.filter((page) => page.section === section && page.name !== 'sitemap');

/** The site map for people; search engines get a file at the same address (decision 0014). */
export function SitemapPage() {
  const { t } = useTranslation(['static', 'pages']);
  const { t: shell } = useTranslation('shell');
  usePageTitle(t('sitemap.title'));
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('sitemap.title')}
        lead={t('sitemap.lead')}
        crumbs={[{ label: shell('navigation.home'), to: '/home' }, { label: t('sitemap.title') }]}
      />
      <div className="grid gap-8 md:grid-cols-3">
        {sections.map((section) => (
          <section key={section} aria-labelledby={`pages-${section}`}>
            <h2 id={`pages-${section}`} className="mb-2 border-b border-ink-200 pb-2 text-lg">
              {t(`sitemap.sections.${section}`)}
            </h2>
            <ul>
              {pagesOf(section).map(({ name, path }) => (
                <li key={name}>
                  <Link to={path} className="link inline-block py-1.5">
                    {name === 'home'
                      ? shell('navigation.home')
                      : t(`titles.${name}`, { ns: 'pages' })}
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
