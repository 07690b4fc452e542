import { useId, useState } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { useAgencyChoices } from '#ui/search/agency-choices.ts';
import { PrintedFilters } from '#ui/search/filter-chips.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import {
  exportJournal,
  getJournal,
  journalFormats,
  type JournalEntry,
  type JournalSum,
} from '@diwan/contract/payments/journal';
import { ledgerAccounts } from '@diwan/contract/payments/ledger';
import { longestStatementDays } from '@diwan/contract/payments/payouts';
import { paymentProviderNames } from '@diwan/contract/payments/providers';
import { getVisibleAgencies } from '@diwan/contract/requests/request-lists';
import { dayAfter, isRealDay } from '@diwan/contract/wire/days';
import { DownloadButtons, fileName } from './download-buttons.tsx';
import { FiltersButton } from './payment-filters.tsx';
import { pageSize } from './payment-query.ts';
import { Amount, PaymentLink } from './payments-list.tsx';
import { usePaidProviders } from './routing/rule-dialog.tsx';

/** The journal with the entries of a request, a payment or a period. */
export const journalPath = (filter: Record<string, string>): string =>
  `/dashboard/payments?${new URLSearchParams({ tab: 'journal', ...filter })}`;

/** Whether two days are a period that a report takes. */
export const isPeriod = (from: string, until: string): boolean =>
  isRealDay(from) &&
  isRealDay(until) &&
  from <= until &&
  until <= dayAfter(from, longestStatementDays - 1);

const filterNames = [
  'from',
  'until',
  'account',
  'agency',
  'provider',
  'request',
  'reference',
] as const;
type Filters = Record<(typeof filterNames)[number], string>;

const noFilters = Object.fromEntries(filterNames.map((name) => [name, ''])) as Filters;

/** This month, unless the entries are those of a request or a payment. */
function withPeriod(values: Readonly<Filters>): Filters {
  const today = serverToday();
  if (values.from || values.until || values.request || values.reference) return { ...values };
  return { ...values, from: `${today.slice(0, 8)}01`, until: today };
}

const needsPeriod = ({ request, reference }: Filters) => request === '' && reference === '';

function isComplete(values: Filters): boolean {
  const { from, until } = values;
  if (from === '' && until === '') return !needsPeriod(values);
  return isPeriod(from, until);
}

const queryOf = (values: Filters) => ({
  From: values.from || undefined,
  Until: values.until || undefined,
  Account: ledgerAccounts.find((each) => each === values.account),
  AgencyId: /^[1-9]\d{0,8}$/.test(values.agency) ? Number(values.agency) : undefined,
  Provider: paymentProviderNames.find((each) => each === values.provider),
  RequestNumber: values.request || undefined,
  MerchantReference: values.reference || undefined,
});

/** What the filters say, in words. */
function useFilterTexts({ from, until, request, reference, ...rest }: Filters): string[] {
  const { t } = useTranslation(['payment-lists', 'ledger', 'payment-desk']);
  const { date } = useFormat();
  const agencies = useAgencyChoices(getVisibleAgencies);
  const { Account, Provider } = queryOf({ from, until, request, reference, ...rest });
  return [
    isRealDay(from) && t('chips.from', { date: date(from) }),
    isRealDay(until) && t('chips.until', { date: date(until) }),
    Account && t(`ledger:accounts.${Account}`),
    Provider && t(`payment-desk:providers.${Provider}`),
    agencies.find(({ value }) => value === rest.agency)?.label,
    request,
    reference,
  ].flatMap((text) => (text ? [text] : []));
}

function FilterForm({ shown, onShow }: { shown: Filters; onShow: (values: Filters) => void }) {
  const { t } = useTranslation(['journal', 'ledger']);
  const [values, setValues] = useState(shown);
  const agencies = useAgencyChoices(getVisibleAgencies);
  const providers = usePaidProviders(values.provider);
  const [isOpen, setIsOpen] = useState(false);
  const fields = useId();
  const set = (name: keyof Filters) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  const choice = (name: 'account' | 'provider') => ({
    value: values[name] === '' ? '-' : values[name],
    onChange: (value: string) => set(name)(value === '-' ? '' : value),
  });
  const isWrong = !isComplete(values);
  const max = serverToday();
  return (
    <form
      role="search"
      aria-label={t('filters')}
      className="flex flex-col gap-4 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onShow(values);
      }}
    >
      <FiltersButton isOpen={isOpen} controls={fields} onPress={() => setIsOpen(!isOpen)} />
      <div
        id={fields}
        className={classNames('flex flex-col gap-4', !isOpen && !isWrong && 'max-md:hidden')}
      >
        <div className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <DayField label={t('from')} value={values.from} max={max} onChange={set('from')} />
          <DayField
            label={t('until')}
            value={values.until}
            max={max}
            onChange={set('until')}
            {...(isWrong ? { error: t('periodWrong') } : {})}
          />
          <SelectField
            label={t('account')}
            {...choice('account')}
            choices={[
              { value: '-', label: t('anyAccount') },
              ...ledgerAccounts.map((value) => ({ value, label: t(`ledger:accounts.${value}`) })),
            ]}
          />
          <SelectField
            label={t('provider')}
            {...choice('provider')}
            choices={[{ value: '-', label: t('anyProvider') }, ...providers]}
          />
          {agencies.length > 0 ? (
            <ComboField
              label={t('agency')}
              placeholder={t('anyAgency')}
              isOptional
              value={values.agency}
              onChange={set('agency')}
              choices={agencies}
            />
          ) : null}
          <TextField
            label={t('requestNumber')}
            isOptional
            value={values.request}
            onChange={(value) => set('request')(value.trim())}
            maxLength={60}
            dir={values.request === '' ? undefined : 'ltr'}
          />
          <TextField
            label={t('paymentReference')}
            isOptional
            value={values.reference}
            onChange={(value) => set('reference')(value.trim())}
            maxLength={60}
            dir={values.reference === '' ? undefined : 'ltr'}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isDisabled={isWrong}>
            {t('show')}
          </Button>
          <Button
            variant="quiet"
            onPress={() => {
              setValues(withPeriod(noFilters));
              onShow(noFilters);
            }}
          >
            {t('clear')}
          </Button>
        </div>
      </div>
    </form>
  );
}

function EntryHead({ entry }: { entry: JournalEntry }) {
  const { t } = useTranslation('journal');
  const { requestNumber, merchantReference, note, postedBy } = entry;
  return (
    <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <span className="font-semibold">{t(`kinds.${entry.kind}`)}</span>
      <Moment at={entry.at} />
      <span className="font-normal text-ink-600">{t('entry', { number: entry.id })}</span>
      {requestNumber ? (
        <span className="flex gap-1 font-normal">
          <span className="text-ink-600">{t('toRequest')}</span>
          <Link
            className="link"
            to={`/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`}
          >
            <Reference>{requestNumber}</Reference>
          </Link>
        </span>
      ) : null}
      {merchantReference ? (
        <span className="flex flex-wrap gap-1 font-normal">
          <span className="text-ink-600">{t('toPayment')}</span>
          <PaymentLink merchantReference={merchantReference} />
        </span>
      ) : null}
      <span className="font-normal text-ink-600">
        {postedBy ? t('by', { name: postedBy }) : t('byPortal')}
      </span>
      {note ? <bdi className="font-normal wrap-anywhere">{note}</bdi> : null}
    </span>
  );
}

// On a phone the names of accounts need the width.
const cell = 'px-2 py-2 align-top sm:px-3';

function EntryLines({ entry }: { entry: JournalEntry }) {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  return (
    <tbody className="border-t border-ink-200">
      <tr className="bg-ink-50">
        <th scope="rowgroup" colSpan={3} className={`${cell} text-start`}>
          <EntryHead entry={entry} />
        </th>
      </tr>
      {entry.lines.map((line, index) => (
        <tr key={index} className="border-t border-ink-100">
          <td className={cell}>
            <span className="flex flex-wrap gap-x-2">
              <span>{t(`accounts.${line.account}`)}</span>
              {line.provider ? (
                <bdi className="text-ink-600">{t(`payment-desk:providers.${line.provider}`)}</bdi>
              ) : null}
              {line.agencyName ? <bdi className="text-ink-600">{line.agencyName}</bdi> : null}
            </span>
          </td>
          {[line.debit, line.credit].map((amount, side) => (
            <td key={side} className={`${cell} text-end tabular-nums`}>
              {amount === 0 ? null : <Amount amount={amount} currency={entry.currency} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function EntryTable({
  entries,
  sums,
}: {
  entries: readonly JournalEntry[];
  sums: readonly JournalSum[];
}) {
  const { t } = useTranslation('journal');
  return (
    <div data-surface className="overflow-x-auto rounded-lg border border-ink-100">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{t('title')}</caption>
        <thead className="bg-ink-50 text-ink-600">
          <tr>
            <th scope="col" className={`${cell} w-full text-start`}>
              {t('line')}
            </th>
            <th scope="col" className={`${cell} text-end`}>
              {t('debit')}
            </th>
            <th scope="col" className={`${cell} text-end`}>
              {t('credit')}
            </th>
          </tr>
        </thead>
        {entries.map((entry) => (
          <EntryLines key={entry.id} entry={entry} />
        ))}
        <tfoot className="border-t-2 border-ink-300">
          {sums.map(({ currency, debits, credits }) => (
            <tr key={currency}>
              <th scope="row" className={`${cell} text-start font-semibold`}>
                {t('sum')}
              </th>
              {[debits, credits].map((amount, side) => (
                <td key={side} className={`${cell} text-end font-semibold tabular-nums`}>
                  <Amount amount={amount} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  );
}

/** The entries of the ledger by their time, with filters that the address keeps. */
export function JournalTab() {
  const { t } = useTranslation('journal');
  const filters = useSearchFilters(...filterNames);
  const shown = withPeriod(filters.values);
  const query = queryOf(shown);
  const filterTexts = useFilterTexts(shown);
  const isReady = isComplete(shown);
  const list = useCall(getJournal, {
    query: { ...query, PageNumber: filters.page, Take: pageSize },
    enabled: isReady,
    keepPrevious: true,
  });
  const { data, error, refetch, isRefetching, isPlaceholderData } = list;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-600">{t('hint')}</p>
      <PrintedFilters texts={filterTexts} />
      <FilterForm
        key={JSON.stringify(shown)}
        shown={shown}
        onShow={(values) => filters.change(values)}
      />
      {isReady ? null : <Alert tone="warning">{t('periodWrong')}</Alert>}
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !isReady ? null : !data ? (
        <SkeletonRows count={4} />
      ) : data.items.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
      ) : (
        <div aria-busy={isPlaceholderData || undefined} className="flex flex-col gap-4">
          <DownloadButtons
            choices={journalFormats.map((format) => ({
              label: t(format),
              fileName: fileName(
                format,
                'journal',
                shown.request,
                shown.reference,
                shown.from,
                shown.until,
              ),
              load: () =>
                sendForFile(exportJournal, {
                  query: { ...query, Format: format },
                  skipErrorHandling: true,
                }),
            }))}
          />
          <EntryTable entries={data.items} sums={data.sums} />
          <Pager
            pageNumber={filters.page}
            pageSize={pageSize}
            totalCount={data.totalCount}
            onSelect={(page) => filters.change({ page })}
          />
        </div>
      )}
    </div>
  );
}
