import type { ReactNode } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useMediaQuery } from '#lib/browser/media.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { pages } from '@diwan/contract/portal/pages';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';

/** The name of the portal and the time of print, at the top of a printed list or report. */
export function PrintedHead() {
  const { t } = useTranslation('shell');
  const { dateTime } = useFormat();
  const isPrinted = useMediaQuery('print');
  return (
    <p
      data-printed-head
      aria-hidden
      className="mb-4 hidden justify-between gap-4 border-b-2 pb-2 print:flex"
    >
      <strong>{t('wordmark')}</strong>
      {isPrinted ? <span>{t('printedAt', { at: dateTime(new Date(serverNow())) })}</span> : null}
    </p>
  );
}

/** The header of a page: breadcrumbs, the only h1, a lead and actions. */
export function PageHeader({
  title,
  lead,
  crumbs,
  hasWholeTrail,
  action,
}: {
  title: ReactNode;
  lead?: ReactNode;
  crumbs?: readonly Crumb[];
  /** A phone shows all crumbs. */
  hasWholeTrail?: boolean;
  action?: ReactNode;
}) {
  return (
    <div
      className={classNames(
        'flex flex-col gap-2 pb-6 md:pb-8 print:pt-0 print:pb-4',
        crumbs ? 'pt-4 md:pt-6' : 'pt-8 md:pt-10',
      )}
    >
      {crumbs ? <Breadcrumbs crumbs={crumbs} isWhole={hasWholeTrail} /> : null}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 max-w-form">
          <h1 className="text-2xl">{title}</h1>
          {lead ? <p className="mt-2 text-ink-600">{lead}</p> : null}
        </div>
        {action}
      </div>
    </div>
  );
}

/**
 * The header of a page of the admins: below their dashboard, which not everybody on it has, and below `parent`
 * where there is one.
 */
export function AdminPageHeader({
  title,
  parent,
  ...rest
}: {
  title: string;
  parent?: Crumb;
  lead?: ReactNode;
  action?: ReactNode;
}) {
  const { t } = useTranslation('dashboards');
  const hasDashboard = hasRole(useSession(), ...pages.adminDashboard.who);
  const crumbs = [
    ...(hasDashboard ? [{ label: t('admin.title'), to: pages.adminDashboard.path }] : []),
    ...(parent ? [parent] : []),
    { label: title },
  ];
  // A record is named as its people wrote it.
  return (
    <>
      <PrintedHead />
      <PageHeader title={<bdi>{title}</bdi>} crumbs={crumbs} {...rest} />
    </>
  );
}
