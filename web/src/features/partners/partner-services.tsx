import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { selectRows, useRowSelection, type RowSelection } from '#ui/data/row-selection.ts';
import { selectColumn } from '#ui/data/select-box.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  previewPartnerServices,
  savePartnerServices,
  type OpenRequestChoice,
  type PartnerServicesPreview,
} from '@diwan/contract/catalogue/partner-services';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import type { ReplyOf } from '@diwan/contract/wire/call';

type ServiceRow = ReplyOf<typeof getAllServicesForUpdatingPartner>[number];
type Shown = 'every' | 'own' | 'others' | 'nobody';

const pageSize = 20;
const isShown: Record<Shown, (service: ServiceRow) => boolean> = {
  every: () => true,
  own: ({ isOfPartner }) => isOfPartner,
  others: ({ partnerId, isOfPartner }) => partnerId !== null && !isOfPartner,
  nobody: ({ partnerId }) => partnerId === null,
};

function useColumns(selection: RowSelection<ServiceRow>): Column<ServiceRow>[] {
  const { t } = useTranslation('partners');
  return [
    selectColumn(selection, ({ id }) => id, {
      page: t('assign.selectPage'),
      row: ({ name }) => t('assign.selectName', { name }),
      card: t('assign.select'),
    }),
    {
      key: 'name',
      header: t('assign.service'),
      isPrimary: true,
      cell: (service) => <bdi>{service.name}</bdi>,
    },
    {
      key: 'agency',
      header: t('assign.agency'),
      cell: (service) => <bdi>{service.governmentAgency.name}</bdi>,
    },
    {
      key: 'provider',
      header: t('assign.provider'),
      cell: (service) =>
        service.isOfPartner ? (
          <StatusTag tone="done">{t('assign.thisOne')}</StatusTag>
        ) : service.partnerName ? (
          <bdi>{service.partnerName}</bdi>
        ) : (
          <span className="text-ink-500">{t('assign.noProvider')}</span>
        ),
    },
  ];
}

interface HandoverProps {
  record: PartnerRecord;
  services: readonly ServiceRow[];
  isAssigned: boolean;
}

/** What the change does to each service, the most open requests first. */
function PreviewList({ preview }: { preview: PartnerServicesPreview }) {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const left = preview.servicesCount - preview.services.length;
  return (
    <div
      // A long list scrolls by the keyboard too.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label={t('assign.services')}
      className="max-h-64 overflow-y-auto rounded-md border border-ink-100 px-4"
    >
      <ul className="divide-y divide-ink-100">
        {preview.services.map((service) => (
          <li key={service.serviceId} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0">
              <bdi className="block wrap-anywhere">{service.name}</bdi>
              <span className="text-sm text-ink-500">
                {service.from
                  ? t('assign.from', { name: `\u2068${service.from.name}\u2069` })
                  : t('assign.noProvider')}
              </span>
            </span>
            <span className="text-sm text-ink-600">
              {t('assign.openOf', { number: count(service.openRequestsCount) })}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className="border-t border-ink-100 py-2 text-sm text-ink-600">
          {t('assign.more', { number: count(left) })}
        </p>
      ) : null}
    </div>
  );
}

/** Shows what a change would do, asks what happens to open requests, and makes it. */
function HandoverDialog({
  record,
  services,
  isAssigned,
  onClose,
  onDone,
}: HandoverProps & { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const [choice, setChoice] = useState<OpenRequestChoice>('stay');
  const { partnerId } = record;
  const [preview, setPreview] = useState<PartnerServicesPreview>();
  const read = useAction(previewPartnerServices, {
    skipErrorHandling: true,
    onSuccess: setPreview,
  });
  const ask = () =>
    read.mutate({
      body: { partnerId, isAssigned, serviceIds: services.map(({ id }) => id) },
    });
  const askOnce = useEffectEvent(ask);
  useEffect(() => askOnce(), []);
  const save = useAction(savePartnerServices, {
    skipErrorHandling: true,
    onSuccess: async ({ servicesCount, movedRequestsCount }) => {
      showToast(
        t('assign.done', { services: count(servicesCount), requests: count(movedRequestsCount) }),
        'success',
      );
      onDone();
      await queryClient.invalidateQueries();
    },
    onError: async (error) => {
      if (error.name === 'RecordHasChanged')
        await queryClient.invalidateQueries({ queryKey: [getAllServicesForUpdatingPartner.name] });
    },
  });
  const movable = preview?.movableCount ?? 0;
  const name = `\u2068${record.name}\u2069`;
  return (
    <ConfirmDialog
      kind="wide"
      title={t(isAssigned ? 'assign.assignTitle' : 'assign.takeBackTitle', { name })}
      confirmLabel={t(isAssigned ? 'assign.assignSend' : 'assign.takeBackSend')}
      cancelLabel={t('decide.cancel')}
      isPending={save.isPending}
      isDisabled={!preview}
      onConfirm={() =>
        save.mutate({
          body: {
            partnerId,
            isAssigned,
            openRequests: choice,
            services: services.map((service) => ({
              serviceId: service.id,
              partnerId: service.partnerId,
            })),
          },
        })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        {save.error?.name === 'RecordHasChanged' ? (
          <Alert tone="warning" isLive>
            {t('assign.conflict')}
          </Alert>
        ) : (
          <ErrorAlert error={save.error} />
        )}
        {preview ? (
          <>
            <PreviewList preview={preview} />
            <p>
              {t('assign.openRequests', {
                open: count(preview.openRequestsCount),
                movable: count(movable),
              })}
            </p>
            {movable > 0 ? (
              <RadioGroup
                label={t('assign.choice')}
                value={choice}
                onChange={(value) => setChoice(value === 'move' ? 'move' : 'stay')}
                choices={[
                  { value: 'stay', label: t('assign.stay'), hint: t('assign.stayHint') },
                  {
                    value: 'move',
                    label: t('assign.move'),
                    hint: isAssigned ? t('assign.moveHint', { name }) : t('assign.freeHint'),
                  },
                ]}
              />
            ) : null}
          </>
        ) : read.error ? (
          <ErrorState error={read.error} onRetry={ask} isRetrying={read.isPending} />
        ) : (
          <SkeletonRows count={3} />
        )}
      </div>
    </ConfirmDialog>
  );
}

/** The services of the catalogue; an admin assigns them to a partner and takes them back. */
export function PartnerServices({ record }: { record: PartnerRecord }) {
  const { t } = useTranslation(['partners', 'dashboards']);
  const { count } = useFormat();
  const list = useCall(getAllServicesForUpdatingPartner, {
    query: { PartnerId: record.partnerId },
    staleTime: 0,
  });
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Shown>('every');
  const [page, setPage] = useState(1);
  const [dialog, setDialog] = useState<Pick<HandoverProps, 'services' | 'isAssigned'>>();
  const found = useMemo(
    () =>
      (list.data ?? []).filter(
        (service) =>
          isShown[shown](service) &&
          containsText(`${service.name} ${service.governmentAgency.name}`, text),
      ),
    [list.data, shown, text],
  );
  const rows = found.slice((page - 1) * pageSize, page * pageSize);
  const [all, setAll] = useState<ReadonlyMap<number, ServiceRow>>(new Map());
  const onPage = useRowSelection<ServiceRow>(rows, ({ id }) => id, [all, setAll]);
  const columns = useColumns(onPage);
  if (!list.data)
    return list.error ? (
      <ErrorState error={list.error} onRetry={list.refetch} isRetrying={list.isRefetching} />
    ) : (
      <SkeletonRows count={6} />
    );
  // As they are now: another admin may have changed them since they were selected.
  const selected = list.data.filter(({ id }) => all.has(id));
  const own = selected.filter(({ isOfPartner }) => isOfPartner);
  const others = selected.filter(({ isOfPartner }) => !isOfPartner);
  const isActive = record.state === 'active';
  const change = (next: { text?: string; shown?: Shown }) => {
    if (next.text !== undefined) setText(next.text);
    if (next.shown !== undefined) setShown(next.shown);
    setPage(1);
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-600">{t('assign.lead')}</p>
      <div role="search" className="flex flex-col gap-4 md:flex-row md:items-end">
        <div className="md:grow">
          <TextField
            label={t('assign.search')}
            isOptional
            value={text}
            onChange={(value) => change({ text: value })}
            maxLength={200}
            dir="auto"
          />
        </div>
        <div className="md:w-72">
          <SelectField
            label={t('assign.show')}
            value={shown}
            onChange={(value) => change({ shown: value as Shown })}
            choices={(Object.keys(isShown) as Shown[]).map((value) => ({
              value,
              label: t(`assign.${value}`),
            }))}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="text-sm text-ink-600">
          {t('dashboards:list.count', { count: found.length })}
          {selected.length > 0
            ? ` · ${t('assign.selected', { number: count(selected.length) })}`
            : ''}
        </p>
        {found.length > rows.length ? (
          <Button
            variant="quiet"
            size="sm"
            onPress={() => setAll(selectRows(all, found, ({ id }) => id, true))}
          >
            {t('assign.selectFound', { number: count(found.length) })}
          </Button>
        ) : null}
        {selected.length > 0 ? (
          <Button variant="quiet" size="sm" onPress={() => setAll(new Map())}>
            {t('assign.clear')}
          </Button>
        ) : null}
      </div>
      {selected.length > 0 ? (
        <div className="flex flex-wrap gap-3">
          <Button
            size="sm"
            isDisabled={others.length === 0 || !isActive}
            onPress={() => setDialog({ services: others, isAssigned: true })}
          >
            {t('assign.assign', { number: count(others.length) })}
          </Button>
          <Button
            size="sm"
            variant="secondary"
            isDisabled={own.length === 0}
            onPress={() => setDialog({ services: own, isAssigned: false })}
          >
            {t('assign.takeBack', { number: count(own.length) })}
          </Button>
          {isActive ? null : <p className="text-sm text-ink-600">{t('assign.notActive')}</p>}
        </div>
      ) : null}
      {rows.length > 0 ? (
        <DataTable
          caption={t('assign.services')}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          isMarked={({ id }) => all.has(id)}
        />
      ) : (
        <p className="py-6 text-ink-600">{t('assign.nothing')}</p>
      )}
      <Pager pageNumber={page} pageSize={pageSize} totalCount={found.length} onSelect={setPage} />
      {dialog ? (
        <HandoverDialog
          {...dialog}
          record={record}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            setDialog(undefined);
            setAll(new Map());
          }}
        />
      ) : null}
    </div>
  );
}
