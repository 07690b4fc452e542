import { ChevronRight, Clock3, FileText, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ServiceSummary } from '@diwan/contract/catalogue/services';
import { Money } from '../../ui/values/money.tsx';
import { addressToChoose } from './service-address.ts';

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

/** One service of the listing; the whole row is the target. */
export function ServiceRow({
  service,
  accountTypeId,
}: {
  service: ServiceSummary;
  accountTypeId?: number;
}) {
  const { t } = useTranslation('services');
  const { to, remember } = addressToChoose(service.replacedName, accountTypeId);
  return (
    <li
      data-surface
      className="group relative flex gap-4 rounded-lg border border-ink-100 bg-white p-4 transition-colors duration-150 hover:border-gold-400 hover:bg-gold-50 md:gap-6 md:p-6"
    >
      <img
        src={service.governmentAgency.logo}
        alt=""
        width={64}
        height={64}
        decoding="async"
        className="size-12 shrink-0 md:size-16"
      />
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="text-sm text-ink-500">{service.governmentAgency.name}</p>
        <h2 className="text-base md:text-lg">
          <Link
            to={to}
            onClick={remember}
            className="row-link text-ink-900 group-hover:text-gold-800"
          >
            {service.name}
          </Link>
        </h2>
        <p className="line-clamp-2 text-ink-600 max-md:text-sm">{service.description}</p>
        <dl className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-700">
          <Fact icon={<Wallet aria-hidden size={16} />} label={t('row.fee')}>
            {service.total === 0 ? t('row.free') : <Money fils={service.total} short />}
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
      </div>
      <ChevronRight
        aria-hidden
        size={22}
        className="mirror hidden shrink-0 self-center text-ink-400 group-hover:text-gold-700 md:block"
      />
    </li>
  );
}
