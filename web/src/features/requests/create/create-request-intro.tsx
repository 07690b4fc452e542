import type { ReactNode } from 'react';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageDescription, usePageTitle } from '#lib/page/head.ts';
import { useFileTexts } from '#lib/uploads/file-texts.ts';
import { Breadcrumbs } from '#ui/data/breadcrumbs.tsx';
import { AnnouncementSlot } from '#ui/feedback/announcement-slot.tsx';
import { OptionalMark } from '#ui/forms/field-frame.tsx';
import type { Service } from '@diwan/contract/catalogue/services';
import { CostTable } from './create-request-cost.tsx';
import {
  Channels,
  ProcessingTime,
  RelatedServices,
  Terms,
  WaysOut,
} from './create-request-intro-more.tsx';
import { StartBar, StartBox } from './create-request-start.tsx';
import { EligibilityList } from './eligibility-list.tsx';
import type { Eligibility } from './eligibility.data.ts';
import { ServiceClosed } from './service-closed.tsx';

function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className="border-t border-ink-100 pt-6 md:pt-8">
      <h2 className="mb-3 scroll-mt-6 text-lg" data-focus-id={id} tabIndex={id ? -1 : undefined}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The first screen of a service: result, eligibility, documents, cost, duration and channels. */
export function CreateRequestIntro({
  service,
  eligibility,
  onStart,
  onIntent,
}: {
  service: Service;
  eligibility: Eligibility;
  onStart: () => void;
  onIntent: () => void;
}) {
  const { t } = useTranslation('forms');
  const home = useHomeAddress();
  const { list } = useFormat();
  usePageTitle(service.name);
  usePageDescription(service.description);
  return (
    <div className="page pt-4 md:pt-6 md:pb-16">
      <Breadcrumbs
        crumbs={[
          { label: t('crumbs.home'), to: home },
          { label: t('crumbs.services'), to: '/services' },
          { label: service.name },
        ]}
      />
      <div className="pt-4 empty:hidden">
        <AnnouncementSlot agencyId={service.governmentAgency.id} serviceId={service.id} />
      </div>
      <div className="mt-4 grid gap-8 md:mt-6 md:gap-16 md:not-print:grid-cols-[minmax(0,680px)_minmax(280px,1fr)]">
        <div className="flex min-w-0 flex-col gap-6 md:gap-8">
          {/* Not a `header` element, because headers are hidden in print. */}
          <div className="flex flex-col gap-3">
            <p className="flex items-center gap-3 text-ink-600">
              <img
                fetchPriority="low"
                src={service.governmentAgency.logo}
                alt=""
                width={56}
                height={56}
                className="size-14 shrink-0"
              />
              <span>{service.governmentAgency.name}</span>
            </p>
            <h1 className="text-2xl">{service.name}</h1>
            <p className="text-ink-700">{service.description}</p>
          </div>
          <ServiceClosed closure={service.closure} />
          <Section title={t('intro.result')}>
            <p>{service.result}</p>
          </Section>
          {service.eligibility.length > 0 || service.accountTypeNames.length > 0 ? (
            <Section title={t('intro.who')} id="who">
              {service.eligibility.length > 0 ? (
                <EligibilityList eligibility={eligibility} />
              ) : (
                <p>{list(service.accountTypeNames)}</p>
              )}
            </Section>
          ) : null}
          <Section title={t('intro.needs')}>
            <RequiredDocuments service={service} />
          </Section>
          <Section title={t('cost.title')}>
            <CostTable
              quote={service.fees}
              feeRules={service.feeRules}
              discounts={service.discounts}
            />
          </Section>
          <Section title={t('intro.how')}>
            <ProcessSteps lines={service.steps} />
          </Section>
          <Section title={t('intro.howLong')}>
            <ProcessingTime
              serviceId={service.id}
              workingDays={service.workingDays}
              isFree={service.fees.total === 0 && !service.feesVary}
            />
          </Section>
          <Section title={t('intro.channels')}>
            <Channels
              serviceId={service.id}
              agencyName={service.governmentAgency.name}
              centres={service.centres}
            />
          </Section>
          {(service.withdrawal ?? service.objectionDays) ? (
            <Section title={t('waysOut.title')}>
              <WaysOut service={service} />
            </Section>
          ) : null}
          <Section title={t('intro.terms')}>
            <Terms text={service.terms} />
          </Section>
          {service.related.length > 0 ? (
            <div data-no-print>
              <Section title={t('intro.related')}>
                <RelatedServices services={service.related} />
              </Section>
            </div>
          ) : null}
          {service.ours ? <p className="text-sm text-ink-500">{t('intro.ours')}</p> : null}
        </div>
        <StartBox
          service={service}
          isIneligible={eligibility.isIneligible}
          onStart={onStart}
          onIntent={onIntent}
        />
      </div>
      <StartBar
        service={service}
        isIneligible={eligibility.isIneligible}
        onStart={onStart}
        onIntent={onIntent}
      />
    </div>
  );
}

/** Whether a document is required wherever the answers ask for it, such as for an agent. */
const isRequiredIfAsked = ({ form }: Service, attachment: string): boolean =>
  form.steps.some((step) =>
    step.fields.some(
      (field) =>
        field.attachment === attachment &&
        (field.requiredWhen !== undefined || (field.required && field.showWhen !== undefined)),
    ),
  );

function RequiredDocuments({ service }: { service: Service }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { limits } = useFileTexts();
  if (service.attachments.length === 0) return <p>{t('intro.noDocuments')}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {service.attachments.map((rule) => (
        <li key={rule.name} className="flex gap-3">
          <span
            aria-hidden
            className="mt-[calc((1lh-8px)/2)] size-2 shrink-0 rotate-45 bg-gold-500"
          />
          <span className="min-w-0">
            <span className="font-medium">{rule.title[language]}</span>
            {rule.required ? null : isRequiredIfAsked(service, rule.name) ? (
              <span className="ms-2 text-sm font-normal text-ink-500">
                {t('intro.ifItApplies')}
              </span>
            ) : (
              <OptionalMark />
            )}
            {rule.description ? (
              <span className="block text-ink-600">{rule.description[language]}</span>
            ) : null}
            <span className="block text-sm text-ink-500">{limits(rule)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function ProcessSteps({ lines }: { lines: readonly string[] }) {
  const { count } = useFormat();
  return (
    <ol className="flex flex-col gap-3">
      {lines.map((line, index) => (
        <li key={line} className="flex gap-3">
          <span
            aria-hidden
            className={classNames(
              'flex size-8 shrink-0 items-center justify-center rounded-full border',
              'border-gold-400 bg-gold-50 text-sm font-semibold leading-none text-gold-700',
            )}
          >
            {count(index + 1)}
          </span>
          <span className="min-w-0 pt-0.5">{line}</span>
        </li>
      ))}
    </ol>
  );
}
