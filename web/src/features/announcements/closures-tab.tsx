import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction, useCall, useReadAgain } from '#lib/api/use-call.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { LoadedTable } from '#ui/data/loaded-table.tsx';
import { noText } from '#ui/editing/localized-fields.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { ServiceChoice } from '#ui/search/service-choice.tsx';
import {
  closeServices,
  closeService,
  getServiceClosures,
  openService,
  type ServiceClosure,
} from '@diwan/contract/catalogue/closures';
import { timeInDubai } from '@diwan/contract/wire/days';
import { BulkClosureDialog, ReasonAndTimes, useReloadServices } from './bulk-closure-dialog.tsx';

const valuesOf = (closure: ServiceClosure | undefined) => ({
  serviceId: closure?.serviceId,
  reason: closure?.reason ?? noText,
  from: timeInDubai(new Date(closure?.from ?? serverNow())),
  until: closure?.until ? timeInDubai(new Date(closure.until)) : '',
});

const bodyOf = (
  { serviceId, reason, from, until }: ReturnType<typeof valuesOf>,
  over: ServiceClosure | undefined,
) => ({
  serviceId: serviceId ?? 0,
  // The service of a new closure may be chosen anew.
  ...(over?.serviceId === serviceId ? { version: over?.version } : {}),
  reason,
  from,
  ...(until === '' ? {} : { until }),
});

function ClosureDialog({
  closure,
  onClose,
}: {
  closure: ServiceClosure | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('announcements');
  const reload = useReloadServices();
  const readClosures = useReadAgain(getServiceClosures);
  const [defaultValues] = useState(() => valuesOf(closure));
  const form = useForm({ defaultValues });
  return (
    <RecordDialog
      form={form}
      title={t(closure ? 'closure.editTitle' : 'closure.addTitle')}
      submitLabel={t(closure ? 'closure.save' : 'closure.send')}
      cancelLabel={t('closure.cancel')}
      record={closure}
      valuesOf={valuesOf}
      call={closeService}
      bodyOf={bodyOf}
      readAgain={async () => {
        reload();
        // Waits for the same reply.
        const closures = await readClosures();
        return closures.find(({ serviceId }) => serviceId === form.getValues('serviceId'));
      }}
      labels={{
        serviceId: t('closure.service'),
        reason: t('closure.reason'),
        from: t('from'),
        until: t('until'),
      }}
      onSaved={() => {
        showToast(t('closure.closed'), 'success');
        reload();
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p className="text-ink-600">{t('closure.effects')}</p>
          {closure ? (
            <p className="font-semibold">
              <bdi>{closure.serviceName}</bdi>
            </p>
          ) : (
            <FormField
              control={form.control}
              name="serviceId"
              validate={(id) => (id === undefined ? t('missingChoice') : undefined)}
            >
              {({ value, onChange, name, error }) => (
                <ServiceChoice serviceId={value} onChange={onChange} name={name} error={error} />
              )}
            </FormField>
          )}
          <ReasonAndTimes control={form.control} untilHint={t('closure.untilHint')} error={error} />
        </>
      )}
    </RecordDialog>
  );
}

function OpenDialog({ closure, onClose }: { closure: ServiceClosure; onClose: () => void }) {
  const { t } = useTranslation('announcements');
  const reload = useReloadServices();
  const open = useAction(openService, {
    onSuccess: () => {
      showToast(t('closure.opened'), 'success');
      reload();
      onClose();
    },
    onError: () => {
      reload();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('closure.openTitle')}
      confirmLabel={t('closure.open')}
      cancelLabel={t('closure.keep')}
      isPending={open.isPending}
      onConfirm={() =>
        open.mutate({ body: { serviceId: closure.serviceId, version: closure.version } })
      }
      onClose={onClose}
    >
      <p className="font-semibold">
        <bdi>{closure.serviceName}</bdi>
      </p>
      <p className="text-ink-600">{t('closure.openText')}</p>
    </ConfirmDialog>
  );
}

function useColumns({
  onEdit,
  onOpen,
}: Record<'onEdit' | 'onOpen', (closure: ServiceClosure) => void>): Column<ServiceClosure>[] {
  const { t } = useTranslation('announcements');
  const { language } = useLanguage();
  const { dateTime } = useFormat();
  const isOfOneAgency = useIsOfOneAgency();
  return [
    {
      key: 'service',
      header: t('closure.service'),
      isPrimary: true,
      cell: ({ serviceName, agencyName }) => (
        <span className="flex flex-col">
          <bdi>{serviceName}</bdi>
          {isOfOneAgency ? null : (
            <span className="text-sm font-normal text-ink-600">{agencyName}</span>
          )}
        </span>
      ),
    },
    { key: 'reason', header: t('closure.reason'), cell: ({ reason }) => reason[language] },
    {
      key: 'when',
      header: t('when'),
      cell: ({ from, until }) =>
        until
          ? t('public.fromUntil', { from: dateTime(from), until: dateTime(until) })
          : `${t('public.from', { from: dateTime(from) })} ${t('closure.openEnded')}`,
    },
    {
      key: 'action',
      header: t('action'),
      isControl: true,
      call: closeService,
      cell: (closure) => (
        <span className="flex flex-wrap gap-2">
          <Button
            size="sm"
            variant="secondary"
            aria-label={t('closure.editName', { name: closure.serviceName })}
            onPress={() => onEdit(closure)}
          >
            {t('edit')}
          </Button>
          <Button
            size="sm"
            variant="secondary"
            aria-label={t('closure.openName', { name: closure.serviceName })}
            onPress={() => onOpen(closure)}
          >
            {t('closure.open')}
          </Button>
        </span>
      ),
    },
  ];
}

/** The services that are closed or will be. */
export function ClosuresTab() {
  const { t } = useTranslation('announcements');
  const [edited, setEdited] = useState<ServiceClosure | 'new'>();
  const [opened, setOpened] = useState<ServiceClosure>();
  const [bulk, setBulk] = useState<'close' | 'open'>();
  const columns = useColumns({ onEdit: setEdited, onOpen: setOpened });
  const list = useCall(getServiceClosures, {});
  return (
    <div className="flex flex-col items-start gap-4">
      <div className="flex flex-wrap gap-3">
        <Button
          call={closeService}
          icon={<Plus aria-hidden size={18} />}
          onPress={() => setEdited('new')}
        >
          {t('closure.add')}
        </Button>
        {(['close', 'open'] as const).map((what) => (
          <Button call={closeServices} key={what} variant="secondary" onPress={() => setBulk(what)}>
            {t(`closure.many.${what}`)}
          </Button>
        ))}
      </div>
      <div className="w-full">
        <LoadedTable
          list={list}
          failed={t('failed')}
          emptyTitle={t('closure.emptyTitle')}
          caption={t('tabs.closures')}
          columns={columns}
          rowKey={({ serviceId }) => serviceId}
        />
      </div>
      {edited ? (
        <ClosureDialog
          closure={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {bulk ? <BulkClosureDialog what={bulk} onClose={() => setBulk(undefined)} /> : null}
      {opened ? <OpenDialog closure={opened} onClose={() => setOpened(undefined)} /> : null}
    </div>
  );
}
