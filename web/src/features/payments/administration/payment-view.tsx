import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Timeline } from '#ui/data/timeline.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import { getPaymentTimeline, type TimelineEntry } from '@diwan/contract/payments/events';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { journalPath } from './journal-tab.tsx';
import { Amount, PaymentStatusTag } from './payments-list.tsx';

const done = new Set(['paid', 'accepted', 'succeeded', 'applied']);
const bad = new Set(['declined', 'cancelled', 'expired', 'refused', 'withdrawn']);

function toneOf({ what, kind }: TimelineEntry): StatusTone {
  if (what === 'case') return 'waiting';
  if (done.has(kind)) return 'done';
  return bad.has(kind) ? 'refused' : 'progress';
}

function useTitle() {
  const { t } = useTranslation('payment-desk');
  return ({ what, kind }: TimelineEntry) => {
    if (what === 'opened') return t('timeline.opened', { provider: t(`providers.${kind}`) });
    if (what === 'event') return t(`timeline.events.${kind}`);
    if (what === 'message') return t(`timeline.messages.${kind}`);
    if (what === 'case') return t('timeline.case', { kind: t(`cases.kinds.${kind}`) });
    if (what === 'decision') return t(`cases.decided.${kind}`);
    if (kind === 'retried') return t('timeline.retried');
    return t('timeline.refund', { state: t(`refunds.states.${kind}`) });
  };
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation('payment-desk');
  const { amount, currency, source, times, note, by } = entry;
  return (
    <div className="flex flex-col items-start text-sm text-ink-700">
      {amount !== undefined && currency ? <Amount amount={amount} currency={currency} /> : null}
      {source ? <span>{t(`timeline.sources.${source}`)}</span> : null}
      {times !== undefined && times > 1 ? (
        <span>{t('timeline.times', { count: times })}</span>
      ) : null}
      {note ? <TypedText>{note}</TypedText> : null}
      {by ? <bdi>{by}</bdi> : null}
    </div>
  );
}

/** A payment with everything that happened to it. */
export function PaymentView({ merchantReference }: { merchantReference: string }) {
  const { t } = useTranslation(['payment-desk', 'journal']);
  const titleOf = useTitle();
  const query = useCall(getPaymentTimeline, {
    query: { MerchantReference: merchantReference },
    skipErrorHandling: true,
  });
  usePageTitle(t('view.title'));
  const { data, error, refetch, isRefetching } = query;
  return (
    <div className="page pb-16">
      <AdminPageHeader
        title={t('view.title')}
        parent={{ label: t('title'), to: '/dashboard/payments' }}
      />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !data ? (
        <SkeletonRows count={5} />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
          <Card title={t('view.happened')}>
            <Timeline
              items={data.entries.map((entry, index) => ({
                id: String(index),
                title: titleOf(entry),
                meta: <Moment at={entry.at} as="exactTime" />,
                tone: toneOf(entry),
                children: <Entry entry={entry} />,
              }))}
            />
          </Card>
          <div className="flex flex-col gap-4">
            <Card title={t('view.payment')}>
              <div className="flex flex-col items-start gap-4">
                <PaymentStatusTag status={data.payment.status} />
                <KeyValueList
                  items={[
                    { label: t('amount'), value: <Amount {...data.payment} /> },
                    {
                      label: t('reference'),
                      value: (
                        <bdi dir="ltr" className="wrap-anywhere">
                          {data.payment.merchantReference}
                        </bdi>
                      ),
                    },
                    {
                      label: t('requestNumber'),
                      value: <Reference>{data.payment.requestNumber}</Reference>,
                    },
                    { label: t('provider'), value: t(`providers.${data.payment.provider}`) },
                    {
                      label: t('view.refunded'),
                      value: <Amount amount={data.payment.refunded} currency="AED" />,
                    },
                    {
                      label: t('view.refundable'),
                      value: <Amount amount={data.refundable} currency="AED" />,
                    },
                  ]}
                />
                <LinkButton
                  variant="secondary"
                  to={`/requests/request-details?request-number=${encodeURIComponent(data.payment.requestNumber)}`}
                >
                  {t('view.toRequest')}
                </LinkButton>
                <LinkButton variant="secondary" to={journalPath({ reference: merchantReference })}>
                  {t('journal:toJournal')}
                </LinkButton>
              </div>
            </Card>
          </div>
        </div>
      )}
    </div>
  );
}
