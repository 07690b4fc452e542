import { useTranslation } from '#lib/i18n/translate.ts';
import { TextLink } from '#ui/actions/links.tsx';
import { ChangedFields, ChangedThing } from '#ui/data/change-history.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { sessionEnds, type AuditEvent, type AuditKind } from '@diwan/contract/people/audit';
import { type LogEntry, type LogKind } from '@diwan/contract/portal/audit-log';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { roles } from '@diwan/contract/wire/call';

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
  exported: 'waiting',
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

/** The label of a kind of the log: of a source, or of a part of one. */
export function useKindLabel(): (kind: LogKind) => string {
  const { t } = useTranslation(['dashboards', 'changes', 'requests']);
  return (kind) => {
    const [source = '', detail] = kind.split('.');
    const label = t(`log.sources.${source}`);
    if (!detail) return label;
    const names = new Map([
      ['account', 'audit.kinds'],
      ['change', 'changes:entities'],
      ['request', 'requests:story'],
    ]);
    return `${label}: ${t(`${names.get(source)}.${detail}`)}`;
  };
}

function RequestLink({ number }: { number: string }) {
  return (
    <TextLink to={`/requests/request-details?request-number=${encodeURIComponent(number)}`}>
      <Reference>{number}</Reference>
    </TextLink>
  );
}

/** Changes whose thing has a page, by its id. */
function ThingOfChange({ change }: { change: NonNullable<LogEntry['change']> }) {
  const { entity, entityId } = change;
  const thing = <ChangedThing change={change} />;
  const pages: Partial<Record<typeof entity, string>> = {
    service: `/dashboard/services/${entityId}`,
    user: `/dashboard/users/${entityId}`,
    company: `/dashboard/companies/${entityId}`,
    partner: `/dashboard/service-providers/${entityId}`,
  };
  const to = pages[entity];
  return to ? <TextLink to={to}>{thing}</TextLink> : thing;
}

/** What was done, to which thing. */
export function EntryAction({ entry: { change, event, act, read } }: { entry: LogEntry }) {
  const { t } = useTranslation(['dashboards', 'changes', 'requests']);
  if (event)
    return (
      <StatusTag tone={tones[event.kind] ?? 'progress'}>{t(`audit.kinds.${event.kind}`)}</StatusTag>
    );
  return (
    <>
      <span className="block font-medium">
        {change ? <ThingOfChange change={change} /> : null}
        {act ? <RequestLink number={act.requestNumber} /> : null}
        {read ? <RequestLink number={read.requestNumber} /> : null}
      </span>
      <span className="block text-sm text-ink-600">
        {change ? <span>{t(`changes:actions.${change.action}`)}</span> : null}
        {act ? <span>{t(`requests:story.${act.action}`)}</span> : null}
        {read ? (
          <span>{t(read.documentName === undefined ? 'log.readRequest' : 'log.readDocument')}</span>
        ) : null}
      </span>
    </>
  );
}

/** What changed, what was read or how an export was filtered. */
export function EntryDetail({ entry: { change, event, read } }: { entry: LogEntry }) {
  const { t } = useTranslation(['dashboards', 'acting']);
  const detail = useDetail();
  // A call of an earlier release has no name: it is shown as it is.
  const listName = (call: string) => {
    const key = `log.exports.${call}`;
    return t(key) === key ? <Reference>{call}</Reference> : t(key);
  };
  if (change) return <ChangedFields entity={change.entity} fields={change.fields} />;
  if (event?.call)
    return (
      <span className="wrap-anywhere">
        <span className="block">{listName(event.call)}</span>
        {Object.entries(event.filter ?? {}).map(([name, value]) => (
          <span key={name} className="block text-sm text-ink-600">
            <bdi>{`${name}: ${String(value)}`}</bdi>
          </span>
        ))}
      </span>
    );
  if (read?.reason)
    return (
      <bdi>{[t(`acting:reasons.${read.reason}`), read.reasonText].filter(Boolean).join(': ')}</bdi>
    );
  return <bdi>{event ? detail(event) : (read?.documentName ?? '')}</bdi>;
}
