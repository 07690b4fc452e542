import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Tabs, useAddressTab } from '#ui/data/tabs.tsx';
import { WaitingDecisions } from '../dashboards/waiting-decisions.tsx';
import { CasesTab } from './administration/cases-tab.tsx';
import { JournalTab } from './administration/journal-tab.tsx';
import { LedgerTab } from './administration/ledger-tab.tsx';
import { PaymentView } from './administration/payment-view.tsx';
import { PaymentsTab } from './administration/payments-list.tsx';
import { PayoutsTab } from './administration/payouts-tab.tsx';
import { ReceiptsTab } from './administration/receipts-tab.tsx';
import { RefundsTab } from './administration/refunds-tab.tsx';
import { RoutingTab } from './administration/routing/routing-tab.tsx';
import { ReferralCodesTab } from './codes/referral-codes-tab.tsx';
import { SellersTab } from './sellers/sellers-tab.tsx';
import { ChargesTab, ReconciliationTab } from './settlement/reconciliation-tab.tsx';
import { VatTab } from './vat/vat-tab.tsx';

const tabs = [
  'payments',
  'cases',
  'refunds',
  'receipts',
  'routing',
  'ledger',
  'journal',
  'vat',
  'reconciliation',
  'charges',
  'payouts',
  'codes',
  'sellers',
] as const;

/** Payments, cases, refunds and providers. `?payment=<reference>` shows one payment. */
export function AdminPaymentsPage() {
  const { t } = useTranslation('payment-desk');
  const [search] = useSearchParams();
  const [selected, select] = useAddressTab(tabs);
  usePageTitle(t('title'));
  const payment = search.get('payment');
  if (payment) return <PaymentView merchantReference={payment} />;
  const content = {
    payments: <PaymentsTab />,
    cases: <CasesTab />,
    refunds: <RefundsTab />,
    receipts: <ReceiptsTab />,
    routing: <RoutingTab />,
    ledger: <LedgerTab />,
    journal: <JournalTab />,
    vat: <VatTab />,
    reconciliation: <ReconciliationTab />,
    charges: <ChargesTab />,
    payouts: <PayoutsTab />,
    codes: <ReferralCodesTab />,
    sellers: <SellersTab />,
  };
  return (
    <div className="page pb-16">
      <AdminPageHeader title={t('title')} lead={t('lead')} />
      {/* Where officers of finance begin. */}
      {selected === 'payments' ? (
        <div className="pb-6 empty:hidden print:hidden">
          <WaitingDecisions />
        </div>
      ) : null}
      <Tabs
        label={t('title')}
        selected={selected}
        onSelect={select}
        tabs={tabs.map((id) => ({ id, label: t(`tabs.${id}`), content: content[id] }))}
      />
    </div>
  );
}
