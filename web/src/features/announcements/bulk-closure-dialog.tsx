import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { noText } from '#ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { useAgencyChoices } from '#ui/search/agency-choices.ts';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import {
  closeServices,
  getClosableServices,
  getServiceClosures,
  maximumClosureReason,
  openServices,
} from '@diwan/contract/catalogue/closures';
import {
  getManagedServices,
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
      getClosableServices,
      getManagedServices,
      getServices,
      getService,
      getServiceIdByServiceName,
    ])
      void client.invalidateQueries({ queryKey: [call.name] });
  };
}

interface ClosureValues {
  reason: LocalizedText;
  from: string;
  until: string;
}

interface Values extends ClosureValues {
  agencyId: string;
  categoryId: string;
  name: string;
}

const any = '-';

/** What the choice changes: the services by name, of which each can be left out, and those that stay. */
function Preview({
  found,
  leftOut,
  onLeaveOut,
  kept,
  what,
}: {
  found: ReplyOf<typeof getClosableServices>['open'];
  leftOut: ReadonlySet<number>;
  onLeaveOut: (leftOut: ReadonlySet<number>) => void;
  kept: number;
  what: 'close' | 'open';
}) {
  const { t } = useTranslation('announcements');
  const count = found.filter(({ serviceId }) => !leftOut.has(serviceId)).length;
  return (
    <div>
      <p role="status" className="font-semibold">
        {t(`closure.many.${what}Count`, { count })}
      </p>
      {found.length > 0 ? (
        <ul
          aria-label={t('closure.many.services')}
          className="mt-1 max-h-64 overflow-y-auto rounded-md border border-ink-100 px-3"
          tabIndex={0}
        >
          {found.map(({ serviceId, serviceName }) => (
            <li key={serviceId}>
              <Checkbox
                isPlain
                label={<bdi>{serviceName}</bdi>}
                value={!leftOut.has(serviceId)}
                onChange={(isIncluded) => {
                  const next = new Set(leftOut);
                  if (isIncluded) next.delete(serviceId);
                  else next.add(serviceId);
                  onLeaveOut(next);
                }}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {kept > 0 && what === 'close' ? (
        <p className="mt-1 text-ink-600">{t('closure.many.kept', { count: kept })}</p>
      ) : null}
    </div>
  );
}

/** The exact values of the services; at least one is given, so that nobody closes all by mistake. */
function FilterFields({ control }: { control: Control<Values> }) {
  const { t } = useTranslation(['announcements', 'catalogue']);
  const agencies = useAgencyChoices(getManagedAgencies);
  const categories = useCall(getAllServiceCategory, {});
  return (
    <>
      {agencies.length > 0 ? (
        <FormField control={control} name="agencyId">
          {(field) => (
            <ComboField
              {...field}
              label={t('closure.many.agency')}
              choices={[{ value: any, label: t('closure.many.any') }, ...agencies]}
            />
          )}
        </FormField>
      ) : null}
      <FormField control={control} name="categoryId">
        {(field) => (
          <SelectField
            {...field}
            label={t('catalogue:fields.category')}
            choices={[
              { value: any, label: t('closure.many.any') },
              ...(categories.data ?? []).map(({ id, name }) => ({
                value: String(id),
                label: name,
              })),
            ]}
          />
        )}
      </FormField>
      <FormField
        control={control}
        name="name"
        validate={(name, { agencyId, categoryId }) =>
          name.trim() === '' && agencyId === any && categoryId === any
            ? t('closure.many.missing')
            : undefined
        }
      >
        {(field) => (
          <TextField
            {...field}
            label={t('catalogue:bulk.nameContains')}
            isOptional
            dir="auto"
            maxLength={200}
          />
        )}
      </FormField>
    </>
  );
}

/** Why and when a service is closed. */
export function ReasonAndTimes<Form extends ClosureValues>({
  control: own,
  untilHint,
  error,
}: {
  control: Control<Form>;
  untilHint: string;
  error: Parameters<typeof LocalizedFormField>[0]['error'];
}) {
  const { t } = useTranslation('announcements');
  // The fields below are those of `ClosureValues`; the form may have others.
  const control = own as unknown as Control<ClosureValues>;
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
              description={untilHint}
              isOptional
              dir="ltr"
            />
          )}
        </FormField>
      </div>
    </>
  );
}

/** The services of the filter; none without a filter. */
function useClosableServices(control: Control<Values>) {
  const [agency, category, typed] = useWatch({
    control,
    name: ['agencyId', 'categoryId', 'name'],
  });
  const name = typed.trim();
  const isFiltered = agency !== any || category !== any || name !== '';
  const { data } = useCall(getClosableServices, {
    query: {
      ...(agency === any ? {} : { AgencyId: Number(agency) }),
      ...(category === any ? {} : { CategoryId: Number(category) }),
      ...(name === '' ? {} : { Name: name }),
    },
    enabled: isFiltered,
  });
  return { isFiltered, data: isFiltered ? data : undefined };
}

/** Closes or opens the services with exact values, after a preview in which single ones can be left out. */
export function BulkClosureDialog({
  what,
  onClose,
}: {
  what: 'close' | 'open';
  onClose: () => void;
}) {
  const { t } = useTranslation('announcements');
  const reload = useReloadServices();
  const [defaultValues] = useState((): Values => ({
    agencyId: any,
    categoryId: any,
    name: '',
    reason: noText,
    from: timeInDubai(new Date(serverNow())),
    until: '',
  }));
  const form = useForm<Values>({ defaultValues });
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const { isFiltered, data } = useClosableServices(form.control);
  const done = () => {
    showToast(t(`closure.many.${what}Done`), 'success');
    reload();
    onClose();
  };
  const options = { skipErrorHandling: true, onSuccess: done, onError: reload };
  const close = useAction(closeServices, options);
  const open = useAction(openServices, options);
  const found = (what === 'close' ? data?.open : data?.closed) ?? [];
  const error = what === 'close' ? close.error : open.error;
  const serviceIds = found
    .map(({ serviceId }) => serviceId)
    .filter((serviceId) => !leftOut.has(serviceId));
  return (
    <FormDialog
      form={form}
      kind="wide"
      title={t(`closure.many.${what}Title`)}
      submitLabel={t(`closure.many.${what}`)}
      cancelLabel={t('closure.cancel')}
      isPending={close.isPending || open.isPending}
      isDisabled={isFiltered && serviceIds.length === 0}
      error={error}
      onResetError={() => {
        close.reset();
        open.reset();
      }}
      onClose={onClose}
      onSubmit={({ reason, from, until }) => {
        if (serviceIds.length === 0) return;
        if (what === 'open') open.mutate({ body: { serviceIds } });
        else
          close.mutate({ body: { serviceIds, reason, from, ...(until === '' ? {} : { until }) } });
      }}
    >
      <p className="text-ink-600">
        {t(what === 'close' ? 'closure.many.effects' : 'closure.many.openText')}
      </p>
      <FilterFields control={form.control} />
      {data ? (
        <Preview
          found={found}
          leftOut={leftOut}
          onLeaveOut={setLeftOut}
          kept={data.closed.length}
          what={what}
        />
      ) : null}
      {what === 'close' ? (
        <ReasonAndTimes
          control={form.control}
          untilHint={t('closure.many.untilHint')}
          error={error}
        />
      ) : null}
    </FormDialog>
  );
}
