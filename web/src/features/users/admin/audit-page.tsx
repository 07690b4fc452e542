import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  auditKinds,
  getAuditEvents,
  sessionEnds,
  type AuditEvent,
  type AuditKind,
} from '@diwan/contract/people/audit';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { roles } from '@diwan/contract/wire/call';
import { AuditDay, dayOf } from './audit-day.tsx';
import { ExportButtons } from './changes-page.tsx';

const tones: Partial<Record<AuditKind, StatusTone>> = {
  signedIn: 'done',
  signedInByUAEPass: 'done',
  signInFailed: 'refused',
  signInByUAEPassRefused: 'refused',
  passwordChangeFailed: 'refused',
  accountSuspended: 'refused',
  rolesChanged: 'waiting',
  passwordChanged: 'waiting',
  secondFactorRemoved: 'waiting',
  secondFactorReset: 'waiting',
  recoveryCodeUsed: 'waiting',
  secondFactorPolicyChanged: 'waiting',
  workflowPutInForce: 'waiting',
  refundRecorded: 'done',
};

const knownReasons = [...sessionEnds, 'secondFactor'];

/** The details of an event as text; an unknown reason is shown as it is. */
function useDetail(): (event: AuditEvent) => string {
  const { t } = useTranslation(['dashboards', 'shell']);
  const nameOf = (role: string) =>
    roles.some((known) => known === role) ? t(`roles.${role}`, { ns: 'shell' }) : role;
  const list = (names: readonly string[], emptyText: string) =>
    names.length > 0 ? names.map(nameOf).join(t('listSeparator', { ns: 'shell' })) : emptyText;
  return ({ kind, reason, before, after, by }) => {
    const emptyText = kind === 'rolesChanged' ? nameOf('Client') : t('none');
    if (before && after)
      return t('audit.change', { before: list(before, emptyText), after: list(after, emptyText) });
    if (by) return t('audit.by', { name: `\u2068${by}\u2069` });
    return knownReasons.some((known) => known === reason)
      ? t(`audit.reasons.${reason}`)
      : (reason ?? '');
  };
}

function useColumns(): Column<AuditEvent>[] {
  const { t } = useTranslation('dashboards');
  const detail = useDetail();
  return [
    {
      key: 'at',
      header: t('audit.at'),
      isPrimary: true,
      cell: (event) => <Moment at={event.at} />,
    },
    {
      key: 'kind',
      header: t('audit.kind'),
      cell: (event) => (
        <>
          <StatusTag tone={tones[event.kind] ?? 'progress'}>
            {t(`audit.kinds.${event.kind}`)}
          </StatusTag>
          {detail(event) ? (
            <span className="mt-1 block text-ink-600">
              <bdi>{detail(event)}</bdi>
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'person',
      header: t('audit.person'),
      cell: (event) =>
        event.username ? (
          <>
            <span className="block">
              <bdi>{event.fullName}</bdi>
            </span>
            <span className="block text-ink-500">
              <Reference isName>{event.username}</Reference>
            </span>
          </>
        ) : (
          <span className="text-ink-500">{t('audit.nobody')}</span>
        ),
    },
    {
      key: 'address',
      header: t('audit.address'),
      cell: (event) => (event.address ? <Reference>{event.address}</Reference> : null),
    },
  ];
}

/** The audit log: sign-ins, passwords, roles and sessions with user and address. */
export function AuditPage() {
  const { t } = useTranslation('dashboards');
  const filters = useSearchFilters('kind', 'day');
  const Kind = auditKinds.find((kind) => kind === filters.values.kind);
  const Day = dayOf(filters.values.day);
  const list = useCall(getAuditEvents, {
    query: {
      Username: filters.keyword || undefined,
      Kind,
      Day,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns();
  const filter = {
    name: 'kind' as const,
    label: t('audit.kind'),
    any: t('audit.anyKind'),
    choices: auditKinds.map((kind) => ({ value: kind, label: t(`audit.kinds.${kind}`) })),
  };
  return (
    <AdminList
      title={t('audit.title')}
      lead={t('audit.lead')}
      placeholder={t('audit.search')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(event) => event.id}
      action={
        <ExportButtons log="events" filters={{ Username: filters.keyword || undefined, Day }} />
      }
      more={<AuditDay day={Day ?? ''} onChange={(day) => filters.change({ day })} />}
    />
  );
}
