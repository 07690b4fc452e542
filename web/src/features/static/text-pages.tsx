import { Printer } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useUAEPass } from '#lib/auth/uae-pass.ts';
import { configuration } from '#lib/browser/configuration.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { hasSupport, SupportLine } from '#ui/values/support-contact.tsx';
import { pages } from '@diwan/contract/portal/pages';

type Paragraph = 'text' | 'support' | 'uaePass';

// The sections of each page, in order. Their texts are in `locales/*/static.json`. A section with
// more than its `text` names its paragraphs: `support` and `uaePass` are shown where there is one.
const sectionsOf = {
  terms: {
    use: ['text'],
    operator: ['text', 'support'],
    account: ['text'],
    requests: ['text'],
    fees: ['text'],
    refunds: ['text'],
    misuse: ['text'],
    availability: ['text'],
    complaints: ['support', 'text'],
    law: ['text'],
    changes: ['text'],
  },
  privacy: {
    controller: ['text', 'support'],
    collected: ['text', 'uaePass'],
    purpose: ['text'],
    sharing: ['text'],
    device: ['text'],
    keeping: ['text'],
    security: ['text'],
    rights: ['text', 'support'],
    questions: ['support', 'text'],
    complaints: ['support', 'text'],
    law: ['text'],
  },
  providerTerms: {
    scope: ['text'],
    registration: ['text'],
    verification: ['text'],
    activation: ['text'],
    work: ['text'],
    people: ['text'],
    money: ['text'],
    ending: ['text'],
    law: ['text'],
  },
  dataSharing: {
    scope: ['text'],
    parties: ['text'],
    data: ['text'],
    consent: ['text'],
    limits: ['text'],
    protection: ['text'],
    rights: ['text', 'support'],
    law: ['text'],
  },
  accessibility: {
    standard: ['text'],
    features: ['text'],
    tested: ['text'],
    limits: ['text', 'uaePass', 'support'],
    feedback: ['support'],
    prepared: ['text'],
  },
} as const satisfies Record<string, Record<string, readonly Paragraph[]>>;

interface StaticTextProps {
  name: keyof typeof sectionsOf;
  /** The text of a demonstration is an example without legal effect; a notice says so. */
  isExample?: boolean;
  /** An action in the page header. */
  action?: ReactNode;
}

/**
 * Scrolls to and focuses the section of the address, also when its text was loaded after
 * navigation.
 */
function useSectionOfAddress(): void {
  const location = useLocation();
  useEffect(() => {
    const section = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
  }, [location]);
}

/** The sections that have something to say on this portal. */
function useSections(name: keyof typeof sectionsOf) {
  const isShown = { text: true, support: hasSupport(), uaePass: useUAEPass() };
  return Object.entries<readonly Paragraph[]>(sectionsOf[name])
    .map(([section, all]) => ({ section, paragraphs: all.filter((each) => isShown[each]) }))
    .filter(({ paragraphs }) => paragraphs.length > 0);
}

/** A page of text with contents, sections and the date of the last change. */
function StaticText({ name, isExample, action }: StaticTextProps) {
  const { t } = useTranslation('static');
  const { t: shell } = useTranslation('shell');
  const home = useHomeAddress();
  usePageTitle(t(`${name}.title`));
  useSectionOfAddress();
  const sections = useSections(name);
  const { changed } = pages[name].listed;
  return (
    <div className="page pb-16">
      <PageHeader
        title={t(`${name}.title`)}
        lead={t(`${name}.lead`)}
        action={action}
        crumbs={[{ label: shell('navigation.home'), to: home }, { label: t(`${name}.title`) }]}
      />
      <div className="flex flex-col gap-8 lg:grid lg:grid-cols-[16rem_1fr] lg:items-start lg:gap-12 print:block">
        <nav aria-labelledby="contents" className="lg:sticky lg:top-6">
          <h2 id="contents" className="mb-2 text-base">
            {t('contents')}
          </h2>
          <ul className="border-s-2 border-ink-100">
            {sections.map(({ section }) => (
              <li key={section}>
                <Link to={{ hash: section }} className="link inline-block px-4 py-2 lg:py-1.5">
                  {t(`${name}.${section}.title`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <article className="flex max-w-form flex-col gap-8">
          {isExample && configuration().isDemonstration ? (
            <Alert>{t('demonstration')}</Alert>
          ) : null}
          {sections.map(({ section, paragraphs }) => (
            <section key={section} aria-labelledby={section}>
              <h2 id={section} tabIndex={-1} className="mb-2 scroll-mt-6 text-lg outline-none">
                {t(`${name}.${section}.title`)}
              </h2>
              <div className="flex flex-col gap-3 text-ink-700">
                {paragraphs.map((paragraph) =>
                  paragraph === 'support' ? (
                    <SupportLine key={paragraph} text={t(`${name}.${section}.support`)} />
                  ) : (
                    t(`${name}.${section}.${paragraph}`)
                      .split('\n')
                      .map((line) => <p key={line}>{line}</p>)
                  ),
                )}
              </div>
            </section>
          ))}
          <div className="flex flex-wrap items-center justify-between gap-4 border-t border-ink-100 pt-4 text-ink-600">
            {changed ? (
              <p>
                {t('changed')} <Moment at={changed} as="date" />
              </p>
            ) : null}
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
        </article>
      </div>
    </div>
  );
}

export function TermsPage() {
  return <StaticText name="terms" isExample />;
}

export function PrivacyPage() {
  return <StaticText name="privacy" isExample />;
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
