import { Search, SlidersHorizontal } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { useAgencyChoices } from '#ui/search/agency-choices.ts';
import { DayPeriod } from '#ui/search/day-period.tsx';
import { FilterChips, type ActiveFilter } from '#ui/search/filter-chips.tsx';
import {
  exportPaymentList,
  listFormats,
  maximumListKeyword,
  paymentLists,
  type PaymentSum,
} from '@diwan/contract/payments/payment-lists';
import { paymentMethods } from '@diwan/contract/requests/payments';
import { getVisibleAgencies } from '@diwan/contract/requests/request-lists';
import { maximumTotalFils } from '@diwan/contract/wire/money';
import { DownloadButtons, fileName } from './download-buttons.tsx';
import {
  filterNames,
  useStateTexts,
  type Changes,
  type Name,
  type PaymentFilters,
} from './payment-query.ts';
import { usePaidProviders } from './routing/rule-dialog.tsx';

function useActiveFilters({ list, query }: PaymentFilters): ActiveFilter<Changes>[] {
  const { t } = useTranslation(['payment-lists', 'payment-desk']);
  const { date, money } = useFormat();
  const agencies = useAgencyChoices(getVisibleAgencies);
  const states = useStateTexts(list);
  const { Keyword, From, Until, AgencyId, Provider, Method, State, MinAmount, MaxAmount } = query;
  const agency = agencies.find(({ value }) => value === String(AgencyId))?.label ?? t('agency');
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
    return amount > maximumTotalFils
      ? t('amountTooLarge', { amount: money(maximumTotalFils) })
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

/** The two amounts. */
function Amounts({
  amounts,
  onLeave,
}: {
  amounts: ReturnType<typeof useAmounts>;
  onLeave: () => void;
}) {
  const { t } = useTranslation('payment-lists');
  return (
    <>
      <MoneyField
        name="MinAmount"
        label={t('minimum')}
        isOptional
        width="full"
        value={amounts.min}
        onChange={(min) => amounts.set({ min })}
        onBlur={onLeave}
        error={amounts.errors.min}
      />
      <MoneyField
        name="MaxAmount"
        label={t('maximum')}
        isOptional
        width="full"
        value={amounts.max}
        onChange={(max) => amounts.set({ max })}
        onBlur={onLeave}
        error={amounts.errors.max}
      />
    </>
  );
}

/** The choices, which apply immediately. */
function Selects({
  list,
  query,
  onChange,
}: Pick<PaymentFilters, 'list' | 'query'> & { onChange: (changes: Changes) => void }) {
  const { t } = useTranslation(['payment-lists', 'payment-desk']);
  const agencies = useAgencyChoices(getVisibleAgencies);
  const providers = usePaidProviders(query.Provider);
  const states = useStateTexts(list);
  return (
    <>
      {agencies.length > 0 ? (
        <div className="max-md:col-span-2">
          <Choices
            label={t('agency')}
            anyText={t('anyAgency')}
            value={query.AgencyId === undefined ? undefined : String(query.AgencyId)}
            choices={agencies}
            onChange={(agency) => onChange({ agency })}
          />
        </div>
      ) : null}
      <Choices
        label={t('provider')}
        anyText={t('anyProvider')}
        value={query.Provider}
        choices={providers}
        onChange={(provider) => onChange({ provider })}
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
          onChange={(method) => onChange({ method })}
        />
      )}
      <Choices
        label={t('state')}
        anyText={states.any}
        value={query.State}
        choices={paymentLists[list].map((value) => ({ value, label: states.text(value) }))}
        onChange={(state) => onChange({ state })}
      />
    </>
  );
}

/** Opens and closes the filters on a phone, which begins with the list. */
export function FiltersButton({
  isOpen,
  controls,
  onPress,
}: {
  isOpen: boolean;
  controls: string;
  onPress: () => void;
}) {
  const { t } = useTranslation('payment-lists');
  return (
    <div className="md:hidden">
      <Button
        variant="secondary"
        isIconOnPhone
        icon={<SlidersHorizontal aria-hidden size={20} />}
        aria-expanded={isOpen}
        aria-controls={controls}
        onPress={onPress}
      >
        {t('filters')}
      </Button>
    </div>
  );
}

/** One form for the filters of every list. On a phone a button opens all but the search. */
function FilterForm({ list, filters, query }: PaymentFilters) {
  const { t } = useTranslation('payment-lists');
  const [text, setText] = useState({ applied: filters.keyword, typed: filters.keyword });
  if (text.applied !== filters.keyword)
    setText({ applied: filters.keyword, typed: filters.keyword });
  const [isOpen, setIsOpen] = useState(false);
  const rest = useId();
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
        <FiltersButton isOpen={isOpen} controls={rest} onPress={() => setIsOpen(!isOpen)} />
      </div>
      <div
        id={rest}
        className={classNames(
          'grid min-w-0 grid-cols-2 items-start gap-x-3 gap-y-4 md:grid-cols-4',
          !isOpen && 'max-md:hidden',
        )}
      >
        <DayPeriod
          from={query.From ?? ''}
          until={query.Until ?? ''}
          labels={{ from: t('from'), until: t('until') }}
          onChange={apply}
        />
        <Amounts amounts={amounts} onLeave={() => apply()} />
        <Selects list={list} query={query} onChange={apply} />
      </div>
    </form>
  );
}

function ExportButtons({ list, query }: PaymentFilters) {
  const { t } = useTranslation('payment-lists');
  return (
    <DownloadButtons
      choices={listFormats.map((Format) => ({
        label: t(Format),
        fileName: fileName(Format, list, query.From, query.Until),
        load: () =>
          sendForFile(exportPaymentList, {
            query: { List: list, Format, ...query },
            skipErrorHandling: true,
          }),
      }))}
    />
  );
}

/** How many rows the whole filtered list has, and their sums by currency. */
function Sums({ sums }: { sums: readonly PaymentSum[] }) {
  const { t } = useTranslation('payment-lists');
  const format = useFormat();
  return (
    <p role="status" className="flex flex-wrap gap-x-4 gap-y-1">
      {sums.length === 0 ? <span className="sr-only">{t('count', { count: 0 })}</span> : null}
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
  const clear = () =>
    change(Object.fromEntries([...filterNames, 'keyword'].map((name) => [name, ''])));
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
