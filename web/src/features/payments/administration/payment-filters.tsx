import { Download, Search, SlidersHorizontal } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useSearchFilters, type SearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { FilterChips, type ActiveFilter } from '#ui/search/filter-chips.tsx';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import {
  exportPaymentList,
  listFormats,
  maximumFilteredAmount,
  maximumListKeyword,
  paymentLists,
  type ListFormat,
  type PaymentListName,
  type PaymentSum,
  type StateOf,
} from '@diwan/contract/payments/payment-lists';
import { paymentProviderNames } from '@diwan/contract/payments/providers';
import { paymentMethods } from '@diwan/contract/requests/payments';
import { isRealDay } from '@diwan/contract/wire/days';

/** Rows on one page of a list. */
export const pageSize = 20;

const names = ['from', 'until', 'agency', 'provider', 'method', 'state', 'min', 'max'] as const;
type Name = (typeof names)[number];
type Changes = Partial<Record<Name | 'keyword', string>>;

/** The number in an address, within what a call accepts. */
function numberIn(text: string, maximum: number): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined;
}

/** The filters of a list in the address, and the query that they are. */
export function usePaymentFilters<List extends PaymentListName>(list: List) {
  const filters = useSearchFilters(...names);
  const { values, keyword } = filters;
  const among = <Value extends string>(all: readonly Value[], name: Name) =>
    all.find((each) => each === values[name]);
  const query = {
    Keyword: keyword.slice(0, maximumListKeyword) || undefined,
    From: isRealDay(values.from) ? values.from : undefined,
    Until: isRealDay(values.until) ? values.until : undefined,
    AgencyId: numberIn(values.agency, 2_147_483_647) || undefined,
    Provider: among(paymentProviderNames, 'provider'),
    Method: among(paymentMethods, 'method'),
    MinAmount: numberIn(values.min, maximumFilteredAmount),
    MaxAmount: numberIn(values.max, maximumFilteredAmount),
    State: among<StateOf<List>>(paymentLists[list], 'state'),
  };
  return { list, filters, query, page: { PageNumber: filters.page, Take: pageSize } };
}

/** What `usePaymentFilters` returns, for the parts that serve every list. */
interface PaymentFilters {
  list: PaymentListName;
  filters: SearchFilters<Name>;
  query: {
    Keyword: string | undefined;
    From: string | undefined;
    Until: string | undefined;
    AgencyId: number | undefined;
    Provider: (typeof paymentProviderNames)[number] | undefined;
    Method: (typeof paymentMethods)[number] | undefined;
    MinAmount: number | undefined;
    MaxAmount: number | undefined;
    State: StateOf<PaymentListName> | undefined;
  };
}

/** The names of the states of each list. */
function useStateTexts(list: PaymentListName) {
  const { t } = useTranslation(['payment-lists', 'payment-desk', 'ledger']);
  const texts: Record<PaymentListName, (state: string) => string> = {
    payments: (state) => t(`payment-desk:statuses.${state}`),
    refunds: (state) => t(`payment-desk:refunds.states.${state}`),
    cases: (state) => t(`states.cases.${state}`),
    differences: (state) => t(`states.differences.${state}`),
    charges: (state) => t(`states.charges.${state}`),
    payouts: (state) => t(`ledger:payouts.states.${state}`),
  };
  const hasDefault = list === 'cases' || list === 'differences';
  return {
    text: texts[list],
    /** What is shown while no state is chosen. */
    any: hasDefault ? t(`states.${list}.any`) : t('anyState'),
  };
}

function useAgencies() {
  return useCall(governmentAgencyCollection, { staleTime: 3_600_000, skipErrorHandling: true });
}

function useActiveFilters({ list, query }: PaymentFilters): ActiveFilter<Changes>[] {
  const { t } = useTranslation(['payment-lists', 'payment-desk']);
  const { date, money } = useFormat();
  const agencies = useAgencies();
  const states = useStateTexts(list);
  const { Keyword, From, Until, AgencyId, Provider, Method, State, MinAmount, MaxAmount } = query;
  const agency = agencies.data?.find(({ id }) => id === AgencyId)?.name ?? t('agency');
  const texts: [name: keyof Changes, text: string | undefined][] = [
    ['keyword', Keyword && t('chips.keyword', { text: Keyword })],
    ['from', From && t('chips.from', { date: date(From) })],
    ['until', Until && t('chips.until', { date: date(Until) })],
    ['agency', AgencyId === undefined ? undefined : agency],
    ['provider', Provider && t(`payment-desk:providers.${Provider}`)],
    ['method', Method && t(`payment-desk:methods.${Method}`)],
    ['state', State && states.text(State)],
    ['min', MinAmount === undefined ? undefined : t('chips.minimum', { amount: money(MinAmount) })],
    ['max', MaxAmount === undefined ? undefined : t('chips.maximum', { amount: money(MaxAmount) })],
  ];
  return texts.flatMap(([name, text]) => (text ? [{ text, without: { [name]: '' } }] : []));
}

const any = '-';

function Choices({
  label,
  anyText,
  value,
  choices,
  onChange,
}: {
  label: string;
  anyText: string;
  value: string | undefined;
  choices: readonly Choice[];
  onChange: (value: string) => void;
}) {
  const Field = choices.length > 15 ? ComboField : SelectField;
  return (
    <Field
      label={label}
      value={value ?? any}
      onChange={(chosen) => onChange(chosen === any ? '' : chosen)}
      choices={[{ value: any, label: anyText }, ...choices]}
    />
  );
}

/** Two days. They apply when both are valid and in order. */
function Period({
  query: { From = '', Until = '' },
  onChange,
}: Pick<PaymentFilters, 'query'> & { onChange: (changes: Changes) => void }) {
  const { t } = useTranslation('payment-lists');
  const applied = `${From} ${Until}`;
  const [typed, setTyped] = useState({ applied, from: From, until: Until });
  if (typed.applied !== applied) setTyped({ applied, from: From, until: Until });
  const isOrdered = ({ from, until }: { from: string; until: string }) =>
    from === '' || until === '' || from <= until;
  const change = (changed: { from?: string; until?: string }) => {
    const next = { ...typed, ...changed };
    setTyped(next);
    const isComplete = [next.from, next.until].every((day) => day === '' || isRealDay(day));
    if (isComplete && isOrdered(next) && `${next.from} ${next.until}` !== applied)
      onChange({ from: next.from, until: next.until });
  };
  const isBackwards = isRealDay(typed.from) && isRealDay(typed.until) && !isOrdered(typed);
  return (
    <>
      <DayField
        name="From"
        label={t('from')}
        value={typed.from}
        onChange={(from) => change({ from })}
      />
      <DayField
        name="Until"
        label={t('until')}
        value={typed.until}
        onChange={(until) => change({ until })}
        error={isBackwards ? t('dateOrder') : undefined}
      />
    </>
  );
}

/** Two amounts in dirhams. They apply when a field is left, and when the form is sent. */
function useAmounts({ MinAmount, MaxAmount }: PaymentFilters['query']) {
  const { t } = useTranslation('payment-lists');
  const { money } = useFormat();
  const applied = `${MinAmount} ${MaxAmount}`;
  const [typed, setTyped] = useState({ applied, min: MinAmount, max: MaxAmount });
  if (typed.applied !== applied) setTyped({ applied, min: MinAmount, max: MaxAmount });
  const { min, max } = typed;
  const problemOf = (amount: number | undefined) => {
    if (amount === undefined || Number.isNaN(amount)) return undefined;
    if (amount < 0) return t('amountNegative');
    return amount > maximumFilteredAmount
      ? t('amountTooLarge', { amount: money(maximumFilteredAmount) })
      : undefined;
  };
  const isBackwards = min !== undefined && max !== undefined && max < min;
  const errors = {
    min: problemOf(min),
    max: problemOf(max) ?? (isBackwards ? t('amountOrder') : undefined),
  };
  const isReady = !errors.min && !errors.max && !Number.isNaN(min) && !Number.isNaN(max);
  return {
    min,
    max,
    errors,
    set: (changed: { min?: number | undefined; max?: number | undefined }) =>
      setTyped({ ...typed, ...changed }),
    /** The changes that the fields ask for; nothing while one of them is wrong. */
    changes: (): Changes =>
      isReady && `${min} ${max}` !== applied
        ? { min: min === undefined ? '' : String(min), max: max === undefined ? '' : String(max) }
        : {},
  };
}

/** One form for the filters of every list. On a phone a button opens all but the search. */
function FilterForm({ list, filters, query }: PaymentFilters) {
  const { t } = useTranslation(['payment-lists', 'payment-desk']);
  const [text, setText] = useState({ applied: filters.keyword, typed: filters.keyword });
  if (text.applied !== filters.keyword)
    setText({ applied: filters.keyword, typed: filters.keyword });
  const [isOpen, setIsOpen] = useState(false);
  const rest = useId();
  const agencies = useAgencies();
  const states = useStateTexts(list);
  const amounts = useAmounts(query);
  const apply = (changes: Changes = {}) => {
    const all = { keyword: text.typed.trim(), ...amounts.changes(), ...changes };
    const isChanged = Object.entries(all).some(
      ([name, value]) =>
        value !== (name === 'keyword' ? filters.keyword : filters.values[name as Name]),
    );
    if (isChanged) filters.change(all);
  };
  return (
    <form
      role="search"
      aria-label={t('filters')}
      className="flex flex-col gap-4 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="flex min-w-0 items-end gap-2 md:max-w-form">
        <div className="min-w-0 grow">
          <TextField
            label={t('search')}
            description={t('searchHint')}
            isOptional
            value={text.typed}
            onChange={(typed) => setText({ ...text, typed })}
            maxLength={maximumListKeyword}
            dir={text.typed === '' ? undefined : 'ltr'}
          />
        </div>
        <Button
          type="submit"
          variant="secondary"
          isIconOnPhone
          icon={<Search aria-hidden size={20} />}
        >
          {t('find')}
        </Button>
        <div className="md:hidden">
          <Button
            variant="secondary"
            isIconOnPhone
            icon={<SlidersHorizontal aria-hidden size={20} />}
            aria-expanded={isOpen}
            aria-controls={rest}
            onPress={() => setIsOpen(!isOpen)}
          >
            {t('filters')}
          </Button>
        </div>
      </div>
      <div
        id={rest}
        className={classNames(
          'grid min-w-0 grid-cols-2 items-start gap-x-3 gap-y-4 md:grid-cols-4',
          !isOpen && 'max-md:hidden',
        )}
      >
        <Period query={query} onChange={apply} />
        <MoneyField
          name="MinAmount"
          label={t('minimum')}
          isOptional
          width="full"
          value={amounts.min}
          onChange={(min) => amounts.set({ min })}
          onBlur={() => apply()}
          error={amounts.errors.min}
        />
        <MoneyField
          name="MaxAmount"
          label={t('maximum')}
          isOptional
          width="full"
          value={amounts.max}
          onChange={(max) => amounts.set({ max })}
          onBlur={() => apply()}
          error={amounts.errors.max}
        />
        <div className="max-md:col-span-2">
          <Choices
            label={t('agency')}
            anyText={t('anyAgency')}
            value={query.AgencyId === undefined ? undefined : String(query.AgencyId)}
            choices={(agencies.data ?? []).map(({ id, name }) => ({
              value: String(id),
              label: name,
            }))}
            onChange={(agency) => apply({ agency })}
          />
        </div>
        <Choices
          label={t('provider')}
          anyText={t('anyProvider')}
          value={query.Provider}
          choices={paymentProviderNames.map((value) => ({
            value,
            label: t(`payment-desk:providers.${value}`),
          }))}
          onChange={(provider) => apply({ provider })}
        />
        {list === 'payouts' ? null : (
          <Choices
            label={t('method')}
            anyText={t('anyMethod')}
            value={query.Method}
            choices={paymentMethods.map((value) => ({
              value,
              label: t(`payment-desk:methods.${value}`),
            }))}
            onChange={(method) => apply({ method })}
          />
        )}
        <Choices
          label={t('state')}
          anyText={states.any}
          value={query.State}
          choices={paymentLists[list].map((value) => ({ value, label: states.text(value) }))}
          onChange={(state) => apply({ state })}
        />
      </div>
    </form>
  );
}

function ExportButtons({ list, query }: PaymentFilters) {
  const { t } = useTranslation('payment-lists');
  const [pending, setPending] = useState<ListFormat>();
  const save = async (Format: ListFormat) => {
    setPending(Format);
    try {
      const file = await sendForFile(exportPaymentList, {
        query: { List: list, Format, ...query },
      });
      saveContent(file, `diwan-${list}.${Format}`);
    } catch {
      // The error was shown where it happened.
    } finally {
      setPending(undefined);
    }
  };
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {listFormats.map((format) => (
        <Button
          key={format}
          variant="secondary"
          size="sm"
          icon={<Download aria-hidden size={18} />}
          isPending={pending === format}
          onPress={() => void save(format)}
        >
          {t(format)}
        </Button>
      ))}
    </div>
  );
}

/** How many rows the whole filtered list has, and their sums by currency. */
function Sums({ sums }: { sums: readonly PaymentSum[] }) {
  const { t } = useTranslation('payment-lists');
  const format = useFormat();
  return (
    <p role="status" className="flex flex-wrap gap-x-4 gap-y-1">
      {sums.length === 0 ? <span>{t('count', { count: 0 })}</span> : null}
      {sums.map(({ currency, count, amount }) => (
        <span key={currency} className="flex flex-wrap gap-x-2">
          <span className="text-ink-600">{t('count', { count })}</span>
          <span className="text-ink-600">{`${t('sum')}:`}</span>
          <strong className="tabular-nums">
            <bdi>{format.amount(amount, currency)}</bdi>
          </strong>
        </span>
      ))}
    </p>
  );
}

/**
 * A list of payments with its filters, the sums of the whole filtered list and its export. `children`
 * is the table in all its states.
 */
export function FilteredList({
  of,
  sums,
  children,
}: {
  of: PaymentFilters;
  sums: readonly PaymentSum[] | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation('payment-lists');
  const active = useActiveFilters(of);
  const change = (changes: Changes) => of.filters.change(changes);
  const clear = () => change(Object.fromEntries([...names, 'keyword'].map((name) => [name, ''])));
  const isEmpty = sums?.length === 0 && active.length > 0;
  return (
    <div className="flex flex-col gap-4">
      <FilterForm {...of} />
      <FilterChips active={active} onChange={change} onClear={clear} />
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-3">
        {sums ? <Sums sums={sums} /> : <span />}
        {sums && sums.length > 0 ? <ExportButtons {...of} /> : null}
      </div>
      {isEmpty ? <EmptyState title={t('nothing')}>{t('nothingText')}</EmptyState> : children}
    </div>
  );
}
