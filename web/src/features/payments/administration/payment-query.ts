import { useSearchFilters, type SearchFilters } from '#lib/browser/search-params.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import {
  maximumListKeyword,
  paymentLists,
  type PaymentListName,
  type StateOf,
} from '@diwan/contract/payments/payment-lists';
import { paymentProviderNames } from '@diwan/contract/payments/providers';
import { paymentMethods } from '@diwan/contract/requests/payments';
import { isRealDay } from '@diwan/contract/wire/days';
import { maximumId } from '@diwan/contract/wire/ids';
import { maximumTotalFils } from '@diwan/contract/wire/money';

/** Rows on one page of a list. */
export const pageSize = 20;

/** The names of the filters in the address. */
export const filterNames = [
  'from',
  'until',
  'agency',
  'provider',
  'method',
  'state',
  'min',
  'max',
] as const;
export type Name = (typeof filterNames)[number];
export type Changes = Partial<Record<Name | 'keyword', string>>;

/** The number in an address, within what a call accepts. */
function numberIn(text: string, maximum: number): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined;
}

/** The filters of a list in the address, and the query that they are. */
export function usePaymentFilters<List extends PaymentListName>(list: List) {
  const filters = useSearchFilters(...filterNames);
  const { values, keyword } = filters;
  const among = <Value extends string>(all: readonly Value[], name: Name) =>
    all.find((each) => each === values[name]);
  const query = {
    Keyword: keyword.slice(0, maximumListKeyword) || undefined,
    From: isRealDay(values.from) ? values.from : undefined,
    Until: isRealDay(values.until) ? values.until : undefined,
    AgencyId: numberIn(values.agency, maximumId) || undefined,
    Provider: among(paymentProviderNames, 'provider'),
    Method: among(paymentMethods, 'method'),
    MinAmount: numberIn(values.min, maximumTotalFils),
    MaxAmount: numberIn(values.max, maximumTotalFils),
    State: among<StateOf<List>>(paymentLists[list], 'state'),
  };
  return { list, filters, query, page: { PageNumber: filters.page, Take: pageSize } };
}

/** What `usePaymentFilters` returns, for the parts that serve every list. */
export interface PaymentFilters {
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
export function useStateTexts(list: PaymentListName) {
  const { t } = useTranslation(['payment-lists', 'payment-desk', 'ledger']);
  const texts: Record<PaymentListName, (state: string) => string> = {
    payments: (state) => t(`payment-desk:statuses.${state}`),
    refunds: (state) => t(`payment-desk:refunds.states.${state}`),
    cases: (state) => t(`states.cases.${state}`),
    differences: (state) => t(`states.differences.${state}`),
    charges: (state) => t(`states.charges.${state}`),
    documents: (state) => t(`payment-desk:receipts.kinds.${state}`),
    payouts: (state) => t(`ledger:payouts.states.${state}`),
  };
  const hasDefault = list === 'cases' || list === 'differences';
  return {
    text: texts[list],
    /** What is shown while no state is chosen. */
    any: hasDefault ? t(`states.${list}.any`) : t('anyState'),
  };
}
