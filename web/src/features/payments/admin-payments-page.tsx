import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { CasesTab } from './administration/cases-tab.tsx';
import { LedgerTab } from './administration/ledger-tab.tsx';
import { PaymentView } from './administration/payment-view.tsx';
import { PaymentsTab } from './administration/payments-list.tsx';
import { PayoutsTab } from './administration/payouts-tab.tsx';
import { ReceiptsTab } from './administration/receipts-tab.tsx';
import { ReconciliationTab } from './administration/reconciliation-tab.tsx';
import { RefundsTab } from './administration/refunds-tab.tsx';
import { RoutingTab } from './administration/routing-tab.tsx';

const tabs = [
  'payments',
  'cases',
  'refunds',
  'receipts',
  'routing',
  'ledger',
  'reconciliation',
  'payouts',
] as const;

/** Payments, cases, refunds and providers. `?payment=<reference>` shows one payment. */
export function AdminPaymentsPage() {
  const { t } = useTranslation(['payment-desk', 'dashboards']);
  const [search, setSearch] = useSearchParams();
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
    reconciliation: <ReconciliationTab />,
    payouts: <PayoutsTab />,
  };
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        crumbs={[
          { label: t('dashboards:admin.title'), to: '/dashboard-Admin' },
          { label: t('title') },
        ]}
      />
      <Tabs
        label={t('title')}
        selected={tabs.find((tab) => tab === search.get('tab')) ?? 'payments'}
        onSelect={(tab) => setSearch(new URLSearchParams(tab === 'payments' ? {} : { tab }))}
        tabs={tabs.map((id) => ({ id, label: t(`tabs.${id}`), content: content[id] }))}
      />
    </div>
  );
}
