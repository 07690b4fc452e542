import { Download } from 'lucide-react';
import { useState } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import { ChangedFields, ChangedThing } from '#ui/data/change-history.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import {
  changeEntities,
  exportAuditLog,
  getChanges,
  type auditFormats,
  type auditLogs,
  type Change,
} from '@diwan/contract/people/changes';
import { AuditDay, dayOf } from './audit-day.tsx';

type Log = (typeof auditLogs)[number];
type Format = (typeof auditFormats)[number];

/** Saves the log that fits the filters as a file. */
export function ExportButtons({
  log,
  filters,
}: {
  log: Log;
  filters: { Username?: string | undefined; Day?: string | undefined; Entity?: Change['entity'] };
}) {
  const { t } = useTranslation('changes');
  const [pending, setPending] = useState<Format>();
  const save = async (format: Format) => {
    setPending(format);
    try {
      const query = { Log: log, Format: format, ...filters };
      saveContent(await sendForFile(exportAuditLog, { query }), `diwan-${log}.${format}`);
    } catch {
      // The error was shown where it happened.
    } finally {
      setPending(undefined);
    }
  };
  return (
    <div className="flex flex-wrap gap-3">
      {(['csv', 'jsonl'] as const).map((format) => (
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

function useColumns(): Column<Change>[] {
  const { t } = useTranslation(['changes', 'dashboards']);
  // Who and when are beside the first of many fields.
  const columns: Column<Change>[] = [
    { key: 'at', header: t('dashboards:audit.at'), cell: ({ at }) => <Moment at={at} /> },
    {
      key: 'thing',
      header: t('thing'),
      isPrimary: true,
      cell: (change) => (
        <>
          <span className="block font-medium">
            <ChangedThing change={change} />
          </span>
          <span className="block text-sm text-ink-600">{t(`actions.${change.action}`)}</span>
        </>
      ),
    },
    {
      key: 'fields',
      header: t('changed'),
      cell: ({ entity, fields }) => <ChangedFields entity={entity} fields={fields} />,
    },
    {
      key: 'by',
      header: t('by'),
      cell: ({ fullName, username, address }) => (
        <>
          <span className="block">
            <bdi>{fullName}</bdi>
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
  return columns.map((column) => ({
    ...column,
    className: column.key === 'at' ? 'align-top! whitespace-nowrap' : 'align-top!',
  }));
}

/** What admins changed: who, when, from where, before and after. */
export function ChangesPage() {
  const { t } = useTranslation('changes');
  const filters = useSearchFilters('entity', 'day');
  const Entity = changeEntities.find((entity) => entity === filters.values.entity);
  const query = {
    Entity,
    Username: filters.keyword || undefined,
    Day: dayOf(filters.values.day),
  };
  const list = useCall(getChanges, {
    query: { ...query, PageNumber: filters.page, Take: adminPageSize },
    keepPrevious: true,
  });
  const columns = useColumns();
  return (
    <AdminList
      title={t('title')}
      lead={t('lead')}
      placeholder={t('search')}
      filters={filters}
      filter={{
        name: 'entity',
        label: t('thing'),
        any: t('anyThing'),
        choices: changeEntities.map((entity) => ({
          value: entity,
          label: t(`entities.${entity}`),
        })),
      }}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      more={<AuditDay day={query.Day ?? ''} onChange={(day) => filters.change({ day })} />}
      action={<ExportButtons log="changes" filters={query} />}
    />
  );
}
