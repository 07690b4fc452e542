import { useTranslation } from 'react-i18next';
import {
  auditKinds,
  getAuditEvents,
  sessionEnds,
  type AuditEvent,
  type AuditKind,
} from '@diwan/contract/people/audit';
import { roles } from '@diwan/contract/wire/call';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { useAddressFilters } from '../../../lib/browser/use-address-filters.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { AdminList, adminPageSize } from '../../dashboards/admin-list.tsx';
import { AuditDay } from './audit-day.tsx';

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

/**
 * What changed, and why, in words; a reason that this page does not know stays as it was written.
 */
function useDetail(): (event: AuditEvent) => string {
  const { t } = useTranslation(['dashboards', 'shell']);
  const nameOf = (role: string) =>
    roles.some((known) => known === role) ? t(`roles.${role}`, { ns: 'shell' }) : role;
  const list = (held: readonly string[], nobody: string) =>
    held.length > 0 ? held.map(nameOf).join(t('listSeparator', { ns: 'shell' })) : nobody;
  return ({ kind, reason, before, after, by }) => {
    const nobody = kind === 'rolesChanged' ? nameOf('Client') : t('none');
    if (before && after)
      return t('audit.change', { before: list(before, nobody), after: list(after, nobody) });
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

/** Sign-ins, passwords, roles and sessions: what happened, to whom, from where. */
export function AuditPage() {
  const { t } = useTranslation('dashboards');
  const filters = useAddressFilters('kind', 'day');
  const Kind = auditKinds.find((kind) => kind === filters.values.kind);
  const Day =
    /^\d{4}-\d{2}-\d{2}$/.test(filters.values.day) && !Number.isNaN(Date.parse(filters.values.day))
      ? filters.values.day
      : undefined;
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
      more={<AuditDay day={Day ?? ''} onChange={(day) => filters.change({ day })} />}
    />
  );
}
