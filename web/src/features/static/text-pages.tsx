import { Printer } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { configuration } from '#lib/browser/configuration.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation, useParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { LegalText } from '#ui/values/legal-text.tsx';
import { Moment } from '#ui/values/moment.tsx';
import {
  getLegalPage,
  getLegalPageVersion,
  type LegalPage,
  type LegalPageName,
} from '@diwan/contract/content/legal-pages';
import { pages } from '@diwan/contract/portal/pages';
import { listSectionChanges } from './legal-changes.ts';

/**
 * Scrolls to and focuses the section of the address, as soon as its text is loaded.
 */
function useSectionOfAddress(isLoaded: boolean): void {
  const location = useLocation();
  useEffect(() => {
    if (!isLoaded) return;
    const section = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
  }, [location, isLoaded]);
}

function Contents({ sections }: Pick<LegalPage, 'sections'>) {
  const { t } = useTranslation('static');
  return (
    <nav aria-labelledby="contents" className="lg:sticky lg:top-6">
      <h2 id="contents" className="mb-2 text-base">
        {t('contents')}
      </h2>
      <ul className="border-s-2 border-ink-100">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link to={{ hash: id }} className="link inline-block px-4 py-2 lg:py-1.5">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The other versions of a page, where there are any. */
function Versions({ versions, id, page }: LegalPage) {
  const { t } = useTranslation('static');
  const { date } = useFormat();
  if (versions.length < 2) return null;
  return (
    <details data-no-print className="text-ink-600">
      <summary className="cursor-pointer py-2">{t('versions.others')}</summary>
      <ul className="flex flex-col ps-4">
        {versions.map((version, index) => (
          <li key={version.id}>
            {version.id === id ? null : (
              <Link
                to={index === 0 ? pages[page].path : `/legal/${version.id}`}
                className="link inline-block py-1.5"
              >
                {index === 0
                  ? t('versions.inForce', { day: date(version.changedAt) })
                  : t('versions.of', { day: date(version.changedAt) })}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The text of a page: contents, sections, the date of the last change, other versions. */
function LegalArticle({ content, notice }: { content: LegalPage; notice?: ReactNode }) {
  const { t } = useTranslation('static');
  useSectionOfAddress(true);
  return (
    <div className="flex flex-col gap-8 lg:grid lg:grid-cols-[16rem_1fr] lg:items-start lg:gap-12 print:block">
      <Contents sections={content.sections} />
      <article className="flex max-w-form min-w-0 flex-col gap-8">
        {notice}
        {content.sections.map(({ id, title, text }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id} tabIndex={-1} className="mb-2 scroll-mt-6 text-lg outline-none">
              {title}
            </h2>
            <LegalText text={text} />
          </section>
        ))}
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-ink-100 pt-4 text-ink-600">
          <p>
            {t('changed')} <Moment at={content.changedAt} as="date" />
          </p>
          <div data-no-print>
            <Button
              variant="quiet"
              icon={<Printer aria-hidden size={18} />}
              onPress={() => window.print()}
            >
              {t('print')}
            </Button>
          </div>
        </div>
        <Versions {...content} />
      </article>
    </div>
  );
}

/** What the text in force has and this version has not, and the other way round. */
function ChangesSince({ version }: { version: LegalPage }) {
  const { t } = useTranslation('static');
  const { data } = useCall(getLegalPage, {
    query: { Page: version.page },
    skipErrorHandling: true,
  });
  if (!data) return null;
  const changes = listSectionChanges(version.sections, data.sections);
  return (
    <details data-no-print className="rounded-lg border border-ink-200 px-4">
      <summary className="cursor-pointer py-3 font-medium">{t('versions.changes')}</summary>
      <div className="flex flex-col gap-4 pb-4">
        {changes.length === 0 ? <p>{t('versions.noChanges')}</p> : null}
        {changes.map(({ title, removed, added }) => (
          <section key={title}>
            <h3 className="mb-1">{title}</h3>
            {removed.map((line) => (
              <p key={line} className="wrap-anywhere text-ink-600">
                <span className="sr-only">{t('versions.removed')}</span> <del>{line}</del>
              </p>
            ))}
            {added.map((line) => (
              <p key={line} className="wrap-anywhere">
                <span className="sr-only">{t('versions.added')}</span> <ins>{line}</ins>
              </p>
            ))}
          </section>
        ))}
      </div>
    </details>
  );
}

interface LoadedText {
  data: LegalPage | undefined;
  error: unknown;
  refetch: () => unknown;
  isFetching: boolean;
}

function LoadedArticle({ loaded, notice }: { loaded: LoadedText; notice?: ReactNode }) {
  const { t } = useTranslation('static');
  if (loaded.data) return <LegalArticle content={loaded.data} notice={notice} />;
  return loaded.error ? (
    <ErrorState
      error={loaded.error}
      title={t('versions.failed')}
      onRetry={loaded.refetch}
      isRetrying={loaded.isFetching}
    />
  ) : (
    <Skeleton>
      <SkeletonRows count={8} />
    </Skeleton>
  );
}

/** The text of a demonstration is an example without legal effect. */
function DemonstrationNotice() {
  const { t } = useTranslation('static');
  return configuration().isDemonstration ? <Alert>{t('demonstration')}</Alert> : null;
}

interface StaticTextProps {
  name: LegalPageName;
  /** Says in a demonstration that the text is an example. */
  isExample?: boolean;
  /** An action in the page header. */
  action?: ReactNode;
}

/** A page of legal text as it is in force. */
function StaticText({ name, isExample, action }: StaticTextProps) {
  const { t } = useTranslation('static');
  const { t: shell } = useTranslation('shell');
  const home = useHomeAddress();
  usePageTitle(t(`${name}.title`));
  const loaded = useCall(getLegalPage, {
    query: { Page: name },
    // The page of the server has it.
    staleTime: 60_000,
    skipErrorHandling: true,
  });
  return (
    <div className="page pb-16">
      <PageHeader
        title={t(`${name}.title`)}
        lead={t(`${name}.lead`)}
        action={action}
        crumbs={[{ label: shell('navigation.home'), to: home }, { label: t(`${name}.title`) }]}
      />
      <LoadedArticle loaded={loaded} notice={isExample ? <DemonstrationNotice /> : null} />
    </div>
  );
}

/** A version of a page as it was published, such as the one that a request was sent under. */
export function LegalVersionPage() {
  const { t } = useTranslation('static');
  const { t: shell } = useTranslation('shell');
  const { date } = useFormat();
  const home = useHomeAddress();
  const { versionId = '' } = useParams();
  const loaded = useCall(getLegalPageVersion, {
    query: { Id: versionId },
    skipErrorHandling: true,
  });
  const { data } = loaded;
  const title = data
    ? `${t(`${data.page}.title`)}: ${t('versions.of', { day: date(data.changedAt) })}`
    : t('versions.others');
  usePageTitle(title);
  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        crumbs={[
          { label: shell('navigation.home'), to: home },
          ...(data ? [{ label: t(`${data.page}.title`), to: pages[data.page].path }] : []),
          { label: data ? t('versions.of', { day: date(data.changedAt) }) : title },
        ]}
      />
      <LoadedArticle
        loaded={loaded}
        notice={
          data && data.versions[0]?.id !== data.id ? (
            <>
              <Alert
                action={
                  <LinkButton variant="secondary" size="sm" to={pages[data.page].path}>
                    {t('versions.showCurrent')}
                  </LinkButton>
                }
              >
                {t('versions.notice')}
              </Alert>
              <ChangesSince version={data} />
            </>
          ) : null
        }
      />
    </div>
  );
}

export function TermsPage() {
  return <StaticText name="terms" isExample />;
}

export function PrivacyPage() {
  return <StaticText name="privacy" isExample />;
}

export function StoragePage() {
  return <StaticText name="storage" />;
}

export function ProviderTermsPage() {
  const { t } = useTranslation('static');
  return (
    <StaticText
      name="providerTerms"
      isExample
      action={<LinkButton to="/partner/register">{t('providerTerms.register')}</LinkButton>}
    />
  );
}

export function DataSharingPage() {
  return <StaticText name="dataSharing" isExample />;
}

export function AccessibilityPage() {
  return <StaticText name="accessibility" />;
}
