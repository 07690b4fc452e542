import { Download } from 'lucide-react';
import { useState } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { DayPeriod } from '#ui/search/day-period.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getServiceNameByServiceId } from '@diwan/contract/catalogue/services';
import {
  agencyLogKinds,
  auditFormats,
  exportAuditLog,
  getAuditLog,
  logKinds,
  type LogEntry,
  type LogKind,
} from '@diwan/contract/portal/audit-log';
import { findAnything, minimumFindText } from '@diwan/contract/requests/request-lists';
import type { QueryInputOf, ReplyOf } from '@diwan/contract/wire/call';
import { isRealDay } from '@diwan/contract/wire/days';
import { EntryAction, EntryDetail, useKindLabel } from './log-entry.tsx';

/** What `findAnything` answers to a typed text. */
function useFound(text: string) {
  const Text = text.trim().slice(0, 100);
  return useCall(findAnything, {
    query: { Text },
    enabled: Text.length >= minimumFindText,
    keepPrevious: true,
    skipErrorHandling: true,
    staleTime: 60_000,
  }).data;
}

interface Choice {
  value: string;
  label: string;
}

/** What was found, below what is chosen and its removal. */
const withChosen = (chosen: Choice, removalLabel: string, found: readonly Choice[]): Choice[] => [
  ...(chosen.value ? [{ value: '', label: removalLabel }, chosen] : []),
  ...found.filter(({ value }) => value !== chosen.value),
];

/** A person, found by a part of the name or of the username; the value is the username. */
function PersonChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('dashboards');
  const [text, setText] = useState('');
  const people = useFound(text)?.people ?? [];
  return (
    <ComboField
      key={value}
      label={t('log.person')}
      placeholder={t('log.personHint')}
      value={value}
      onChange={onChange}
      onSearch={setText}
      choices={withChosen(
        { value, label: value },
        t('log.anyone'),
        people.map(({ username, fullName }) => ({
          value: username,
          label: `${fullName} (${username})`,
        })),
      )}
    />
  );
}

const thingsOf = ({ requests, payments, services, people }: ReplyOf<typeof findAnything>) => [
  ...requests.map(({ requestNumber }) => ['request', requestNumber] as const),
  ...payments.map(({ merchantReference }) => ['payment', merchantReference] as const),
  ...services.map(({ id, name }) => ['service', String(id), name] as const),
  ...people.map(({ username, fullName }) => ['user', username, fullName] as const),
];

/** A request, payment, service or user; the value is that of the filter `Thing`. */
function ThingChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('dashboards');
  const [text, setText] = useState('');
  const found = useFound(text);
  const [of = '', name = ''] = value.split(/\/(.*)/s);
  const service = useCall(getServiceNameByServiceId, {
    query: { serviceId: Number(name) || 0 },
    enabled: of === 'service' && /^\d{1,9}$/.test(name),
    skipErrorHandling: true,
    staleTime: 3_600_000,
  });
  const labelOf = (kind: string, label: string) => `${t(`log.things.${kind}`)}: ${label}`;
  const choices = found
    ? thingsOf(found).map(([kind, id, label = id]) => ({
        value: `${kind}/${id}`,
        label: labelOf(kind, label),
      }))
    : [];
  const label = value ? labelOf(of, service.data?.name ?? name) : '';
  return (
    <ComboField
      // The box takes the name of the chosen service when it is known.
      key={label}
      label={t('log.thing')}
      placeholder={t('log.thingHint')}
      value={value}
      onChange={onChange}
      onSearch={setText}
      choices={withChosen({ value, label }, t('log.anything'), choices)}
    />
  );
}

type Format = (typeof auditFormats)[number];

/** Saves the log that fits the filters as a file. */
function ExportButtons({
  filter,
}: {
  filter: Omit<QueryInputOf<typeof exportAuditLog>, 'Format'>;
}) {
  const { t } = useTranslation('changes');
  const [pending, setPending] = useState<Format>();
  const save = async (format: Format) => {
    setPending(format);
    try {
      const query = { Format: format, ...filter };
      saveContent(await sendForFile(exportAuditLog, { query }), `diwan-audit-log.${format}`);
    } catch {
      // The error was shown where it happened.
    } finally {
      setPending(undefined);
    }
  };
  return (
    <div data-no-print className="flex flex-wrap gap-3">
      {auditFormats.map((format) => (
        <Button
          key={format}
          variant="secondary"
          icon={<Download aria-hidden size={18} />}
          isPending={pending === format}
          onPress={() => void save(format)}
        >
          {t(`export.${format}`)}
        </Button>
      ))}
    </div>
  );
}

function useColumns(): Column<LogEntry>[] {
  const { t } = useTranslation('dashboards');
  const columns: Column<LogEntry>[] = [
    { key: 'at', header: t('audit.at'), cell: ({ at }) => <Moment at={at} as="exactTime" /> },
    {
      key: 'action',
      header: t('log.what'),
      isPrimary: true,
      cell: (entry) => <EntryAction entry={entry} />,
    },
    { key: 'detail', header: t('log.detail'), cell: (entry) => <EntryDetail entry={entry} /> },
    {
      key: 'by',
      header: t('log.person'),
      cell: ({ fullName, username, address }) => (
        <>
          <span className="block">
            <bdi>{fullName ?? t('audit.nobody')}</bdi>
          </span>
          <span className="block text-sm text-ink-500">
            {username ? <Reference isName>{username}</Reference> : null}
            <span>{username && address ? ' · ' : null}</span>
            {address ? <Reference>{address}</Reference> : null}
          </span>
        </>
      ),
    },
  ];
  return columns.map((column) => ({ ...column, className: 'align-top!' }));
}

const dayOf = (text: string): string | undefined => (isRealDay(text) ? text : undefined);

/** The audit log: who did what, to which thing, when and from where. */
export function AuditPage() {
  const { t } = useTranslation('dashboards');
  const kindLabel = useKindLabel();
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const filters = useSearchFilters('kind', 'person', 'thing', 'from', 'until');
  const { kind, person, thing, from, until } = filters.values;
  const query = {
    Username: person || undefined,
    Thing: /^(request|payment|service|user)\/./.test(thing) ? thing : undefined,
    Kind: logKinds.find((each: LogKind) => each === kind),
    From: dayOf(from),
    Until: dayOf(until),
  };
  const list = useCall(getAuditLog, {
    query: { ...query, PageNumber: filters.page, Take: adminPageSize },
    keepPrevious: true,
  });
  return (
    <AdminList
      title={t('audit.title')}
      lead={t(isOfAgency ? 'audit.agencyLead' : 'audit.lead')}
      filters={filters}
      filter={{
        name: 'kind',
        label: t('log.kind'),
        any: t('log.anyKind'),
        choices: (isOfAgency ? agencyLogKinds : logKinds).map((each) => ({
          value: each,
          label: kindLabel(each),
        })),
      }}
      list={list}
      columns={useColumns()}
      rowKey={({ key }) => key}
      more={
        <>
          <div className="md:w-64">
            <PersonChoice value={person} onChange={(value) => filters.change({ person: value })} />
          </div>
          <div className="md:w-64">
            <ThingChoice
              value={query.Thing ?? ''}
              onChange={(value) => filters.change({ thing: value })}
            />
          </div>
          <DayPeriod
            from={from}
            until={until}
            labels={{ from: t('log.from'), until: t('log.until') }}
            className="md:w-44"
            onChange={(days) => filters.change({ ...days })}
          />
        </>
      }
      action={<ExportButtons filter={query} />}
    />
  );
}
