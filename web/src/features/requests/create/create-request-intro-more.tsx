import { Building2, ChevronRight, Globe } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { itemInSentence } from '#lib/i18n/title-in-sentence.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { OfficeState } from '#ui/values/office-state.tsx';
import { getServiceDays } from '@diwan/contract/calendars/calendar-calls';
import type { WithdrawalRefund } from '@diwan/contract/catalogue/fees';
import type { Service, ServiceSuggestion } from '@diwan/contract/catalogue/services';

/** How long a service takes, by which day it is promised, and when its agency is closed soon. */
export function ProcessingTime({
  serviceId,
  workingDays,
  isFree,
}: {
  serviceId: number;
  workingDays: number;
  isFree: boolean;
}) {
  return (
    <div className="flex flex-col gap-3">
      <UsualTime workingDays={workingDays} isFree={isFree} />
      <DaysOfAgency serviceId={serviceId} isFree={isFree} />
    </div>
  );
}

const neverChanges = () => () => undefined;

/** What the calendar of the agency says now. A page is complete without it, and rendered without it. */
function useServiceDays(serviceId: number) {
  const isInBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return useCall(getServiceDays, {
    query: { serviceId },
    enabled: isInBrowser,
    skipErrorHandling: true,
  }).data;
}

function DaysOfAgency({ serviceId, isFree }: { serviceId: number; isFree: boolean }) {
  const { t } = useTranslation('forms');
  const { date } = useFormat();
  const data = useServiceDays(serviceId);
  if (!data) return null;
  return (
    <>
      {data.promisedBy ? (
        <p>{t(isFree ? 'intro.byDayFree' : 'intro.byDay', { date: date(data.promisedBy) })}</p>
      ) : null}
      {data.closed.length > 0 ? (
        <Alert title={t('intro.closedSoon')}>
          <ul>
            {data.closed.map(({ from, until, name, isExpected }) => (
              <li key={`${from} ${name}`}>
                <span>{from === until ? date(from) : `${date(from)} – ${date(until)}`}</span>{' '}
                <bdi className="font-semibold">{name}</bdi>
                {isExpected ? <span> ({t('intro.expectedDay')})</span> : null}
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
    </>
  );
}

function UsualTime({ workingDays, isFree }: { workingDays: number; isFree: boolean }) {
  const { t } = useTranslation('forms');
  return (
    <p>
      {workingDays === 0
        ? t('intro.howLongAtOnce')
        : t(isFree ? 'intro.howLongDaysFree' : 'intro.howLongDays', {
            time: t('intro.workingDays', { count: workingDays }),
          })}
    </p>
  );
}

/** The application channels. */
export function Channels({
  serviceId,
  agencyName,
  centres,
}: {
  serviceId: number;
  agencyName: string;
  /** Their addresses and hours, as the agency writes them. */
  centres: string | undefined;
}) {
  const { t } = useTranslation('forms');
  const days = useServiceDays(serviceId);
  return (
    <ul className="flex flex-col gap-3">
      <li className="flex gap-3">
        <span className="flex h-[1lh] items-center text-gold-700">
          <Globe aria-hidden size={20} />
        </span>
        {t('intro.channelOnline')}
      </li>
      <li className="flex gap-3">
        <span className="flex h-[1lh] items-center text-gold-700">
          <Building2 aria-hidden size={20} />
        </span>
        <span className="min-w-0">
          <span>{t('intro.channelCounter', { agency: agencyName })}</span>
          <span className="block text-sm whitespace-pre-line text-ink-500">
            {centres ?? t('intro.channelCentres')}
          </span>
          {days ? <OfficeState office={days.office} now={serverNow()} /> : null}
        </span>
      </li>
    </ul>
  );
}

/** Splits a text into sentences with their punctuation. */
export function sentencesOf(text: string): string[] {
  return (
    text
      .match(/[^.!?؟۔]+[.!?؟۔]*\s*/gu)
      ?.map((sentence) => sentence.trim())
      .filter(Boolean) ?? [text]
  );
}

/** The first sentence, with the rest on demand; printed in full. */
export function Terms({ text }: { text: string }) {
  const { t } = useTranslation('forms');
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const open = () => details.current?.setAttribute('open', '');
    window.addEventListener('beforeprint', open);
    return () => window.removeEventListener('beforeprint', open);
  }, []);
  const [first = '', ...rest] = sentencesOf(text);
  return (
    <>
      <p>{first}</p>
      {rest.length > 0 ? (
        <details ref={details} className="mt-1">
          <summary className="link inline-block min-h-9 py-1 font-medium">
            {t('intro.termsWhole')}
          </summary>
          <p className="mt-1 text-ink-700">{rest.join(' ')}</p>
        </details>
      ) : null}
    </>
  );
}

/** How to withdraw a request, what of the fees is paid back, and until when one can object. */
export function WaysOut({ service }: { service: Service }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { list } = useFormat();
  const { withdrawal, objectionDays, fees, feesVary, feeRules = [] } = service;
  const isFree = fees.total === 0 && !fees.afterApproval && !feesVary;
  const refundable = new Set([
    ...[...fees.lines, ...(fees.afterApproval?.lines ?? [])]
      .filter((line) => line.refundable)
      .map(({ title }) => title),
    ...feeRules.filter((fee) => fee.refundable).map(({ title }) => title[language]),
  ]);
  const paidBack = (refund: WithdrawalRefund) =>
    refund === 'part' && refundable.size > 0
      ? t('waysOut.back.part', {
          fees: list([...refundable].map((title) => itemInSentence(title, language))),
        })
      : t(refund === 'full' ? 'waysOut.back.full' : 'waysOut.back.none');
  return (
    <div className="flex flex-col gap-2">
      {withdrawal ? (
        <>
          <p>
            {t('waysOut.before')} {isFree ? null : <span>{paidBack(withdrawal.beforeWork)}</span>}
          </p>
          <p>
            {t('waysOut.after')} {isFree ? null : <span>{paidBack(withdrawal.afterWork)}</span>}
          </p>
        </>
      ) : null}
      {objectionDays === undefined ? null : <p>{t('waysOut.object', { count: objectionDays })}</p>}
    </div>
  );
}

/** Services of the same kind. */
export function RelatedServices({ services }: { services: readonly ServiceSuggestion[] }) {
  return (
    <ul className="flex flex-col">
      {services.map((service) => (
        <li
          key={service.id}
          className={classNames(
            'group relative flex items-center gap-3 border-b',
            'border-ink-100 py-2.5 last:border-0 hover:bg-gold-50',
          )}
        >
          <img
            fetchPriority="low"
            src={service.governmentAgency.logo}
            alt=""
            width={36}
            height={36}
            loading="lazy"
            decoding="async"
            className="size-9 shrink-0"
          />
          <span className="min-w-0 grow">
            <Link
              to={`/requests/Create/${encodeURIComponent(service.replacedName)}`}
              className="row-link font-medium text-ink-900 group-hover:text-gold-800"
            >
              {service.name}
            </Link>
            <span className="block text-sm text-ink-500">{service.governmentAgency.name}</span>
          </span>
          <ChevronRight
            aria-hidden
            size={18}
            className="mirror shrink-0 text-ink-400 group-hover:text-gold-700"
          />
        </li>
      ))}
    </ul>
  );
}
