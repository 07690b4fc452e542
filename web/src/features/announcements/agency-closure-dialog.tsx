import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { noText } from '#ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import {
  closeAgencyServices,
  getAgencyClosure,
  getServiceClosures,
  maximumClosureReason,
  openAgencyServices,
} from '@diwan/contract/catalogue/closures';
import {
  getService,
  getServiceIdByServiceName,
  getServices,
} from '@diwan/contract/catalogue/services';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { timeInDubai } from '@diwan/contract/wire/days';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** The lists and pages of services show the change. */
export function useReloadServices() {
  const client = useQueryClient();
  return () => {
    for (const call of [
      getServiceClosures,
      getAgencyClosure,
      getServices,
      getService,
      getServiceIdByServiceName,
    ])
      void client.invalidateQueries({ queryKey: [call.name] });
  };
}

interface Values {
  agencyId: string;
  reason: LocalizedText;
  from: string;
  until: string;
}

/** What the choice changes: the services by name, and those that it leaves as they are. */
function Preview({
  changed,
  kept,
  what,
}: {
  changed: ReplyOf<typeof getAgencyClosure>['open'];
  kept: number;
  what: 'close' | 'open';
}) {
  const { t } = useTranslation('announcements');
  return (
    <div role="status">
      <p className="font-semibold">{t(`closure.agency.${what}Count`, { count: changed.length })}</p>
      {changed.length > 0 ? (
        <ul className="mt-1 max-h-48 list-disc overflow-y-auto ps-5 text-ink-700" tabIndex={0}>
          {changed.map(({ serviceId, serviceName }) => (
            <li key={serviceId}>
              <bdi>{serviceName}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      {kept > 0 && what === 'close' ? (
        <p className="mt-1 text-ink-600">{t('closure.agency.kept', { count: kept })}</p>
      ) : null}
    </div>
  );
}

function ReasonAndTimes({
  control,
  error,
}: {
  control: Control<Values>;
  error: Parameters<typeof LocalizedFormField>[0]['error'];
}) {
  const { t } = useTranslation('announcements');
  return (
    <>
      <LocalizedFormField
        control={control}
        name="reason"
        legend={t('closure.reason')}
        maxLength={maximumClosureReason}
        rows={2}
        error={error}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          control={control}
          name="from"
          validate={(from) => (from === '' ? t('missingTime') : undefined)}
        >
          {(field) => <TextField {...field} type="datetime-local" label={t('from')} dir="ltr" />}
        </FormField>
        <FormField control={control} name="until">
          {(field) => (
            <TextField
              {...field}
              type="datetime-local"
              label={t('until')}
              description={t('closure.agency.untilHint')}
              isOptional
              dir="ltr"
            />
          )}
        </FormField>
      </div>
    </>
  );
}

/** Closes or opens every service of an agency, after a preview. */
export function AgencyClosureDialog({
  what,
  onClose,
}: {
  what: 'close' | 'open';
  onClose: () => void;
}) {
  const { t } = useTranslation('announcements');
  const reload = useReloadServices();
  const [defaultValues] = useState((): Values => ({
    agencyId: '',
    reason: noText,
    from: timeInDubai(new Date(serverNow())),
    until: '',
  }));
  const form = useForm<Values>({ defaultValues });
  const agencyId = Number(useWatch({ control: form.control, name: 'agencyId' }));
  const agencies = useCall(governmentAgencyCollection, {});
  const { data } = useCall(getAgencyClosure, {
    query: { AgencyId: agencyId },
    enabled: agencyId > 0,
  });
  const done = () => {
    showToast(t(`closure.agency.${what}Done`), 'success');
    reload();
    onClose();
  };
  const options = { skipErrorHandling: true, onSuccess: done, onError: reload };
  const close = useAction(closeAgencyServices, options);
  const open = useAction(openAgencyServices, options);
  const changed = (what === 'close' ? data?.open : data?.closed) ?? [];
  const error = what === 'close' ? close.error : open.error;
  const serviceIds = changed.map(({ serviceId }) => serviceId);
  return (
    <FormDialog
      form={form}
      kind="wide"
      title={t(`closure.agency.${what}Title`)}
      submitLabel={t(`closure.agency.${what}`)}
      cancelLabel={t('closure.cancel')}
      isPending={close.isPending || open.isPending}
      isDisabled={agencyId > 0 && data !== undefined && changed.length === 0}
      error={error}
      onResetError={() => {
        close.reset();
        open.reset();
      }}
      onClose={onClose}
      onSubmit={({ reason, from, until }) => {
        if (!data) return;
        if (what === 'open') open.mutate({ body: { agencyId, serviceIds } });
        else
          close.mutate({
            body: { agencyId, serviceIds, reason, from, ...(until === '' ? {} : { until }) },
          });
      }}
    >
      <p className="text-ink-600">
        {t(what === 'close' ? 'closure.agency.effects' : 'closure.agency.openText')}
      </p>
      <FormField
        control={form.control}
        name="agencyId"
        validate={(id) => (id === '' ? t('missingChoice') : undefined)}
      >
        {(field) => (
          <ComboField
            {...field}
            label={t('closure.agency.field')}
            choices={(agencies.data ?? []).map(({ id, name }) => ({
              value: String(id),
              label: name,
            }))}
          />
        )}
      </FormField>
      {data ? <Preview changed={changed} kept={data.closed.length} what={what} /> : null}
      {what === 'close' ? <ReasonAndTimes control={form.control} error={error} /> : null}
    </FormDialog>
  );
}
