import { Clock3, FileText, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';
import { Money } from '#ui/values/money.tsx';
import { getService, type ServiceSummary } from '@diwan/contract/catalogue/services';

function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="flex text-ink-500">
        {icon}
        <span className="sr-only">{label}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What a service costs, how long it takes and how many documents it needs. */
export function ServiceFacts({
  service,
}: {
  service: Pick<ServiceSummary, 'total' | 'feesVary' | 'workingDays' | 'attachmentsCount'>;
}) {
  const { t } = useTranslation('services');
  const { money } = useFormat();
  return (
    <dl className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-700">
      <Fact icon={<Wallet aria-hidden size={16} />} label={t('row.fee')}>
        {service.total === 0 ? (
          t(service.feesVary ? 'row.feeVaries' : 'row.free')
        ) : service.feesVary ? (
          t('row.feeOrMore', { amount: money(service.total) })
        ) : (
          <Money fils={service.total} />
        )}
      </Fact>
      <Fact icon={<Clock3 aria-hidden size={16} />} label={t('row.time')}>
        {service.workingDays === 0
          ? t('row.immediate')
          : t('row.workingDays', { count: service.workingDays })}
      </Fact>
      <Fact icon={<FileText aria-hidden size={16} />} label={t('row.documents')}>
        {service.attachmentsCount === 0
          ? t('row.noAttachments')
          : t('row.attachments', { count: service.attachmentsCount })}
      </Fact>
    </dl>
  );
}

/** The service for which a visitor signs in: its name, cost, time and documents. */
export function ChosenService({ serviceId }: { serviceId: number }) {
  const { data, error } = useCall(getService, {
    query: { serviceId },
    staleTime: 300_000,
    skipErrorHandling: true,
  });
  // The sign-in does not need it.
  if (error && !data) return null;
  return (
    <div className="mt-4 rounded-lg border border-ink-200 bg-white px-4 py-3">
      {data ? (
        <>
          <p className="font-semibold">{data.name}</p>
          <p className="text-sm text-ink-600">{data.governmentAgency.name}</p>
          <ServiceFacts service={data} />
        </>
      ) : (
        <Skeleton>
          <SkeletonBar className="h-5 w-3/4" />
          <SkeletonBar className="mt-2 h-4 w-1/2" />
          <SkeletonBar className="mt-2 h-4 w-2/3" />
        </Skeleton>
      )}
    </div>
  );
}
