import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, paginateLocally } from '#ui/data/admin-list.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { buttonColumn, type Column } from '#ui/data/data-table.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { UsualItemsDialog } from '#ui/editing/usual-items-dialog.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { useAgencyChoices, useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  addUsualReasons,
  getAllRejectionReasons,
  getUsualReasons,
  type ReasonKind,
  type ReasonRecord,
  type ReasonSubject,
  maximumReasonNameLength,
  nameFields,
  reasonKinds,
  reasonSubjects,
  chargeReasonCollection,
  saveRejectionReason,
  rejectionReasonCollection,
} from '@diwan/contract/requests/rejection-reasons';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';

function useColumns(onEdit: (reason: ReasonRecord) => void): Column<ReasonRecord>[] {
  const { t } = useTranslation(['returns', 'dashboards', 'requests']);
  const { language } = useLanguage();
  const { count } = useFormat();
  const agencyColumn: Column<ReasonRecord> = {
    key: 'agency',
    header: t('reasons.agency'),
    cell: ({ agency }) => (agency ? <bdi>{agency.name}</bdi> : t('reasons.allAgencies')),
  };
  const isOfOneAgency = useIsOfOneAgency();
  return [
    {
      key: 'reason',
      header: t('dashboards:rejectionReasons.reason'),
      isPrimary: true,
      cell: ({ names }) => names[language],
    },
    ...(isOfOneAgency ? [] : [agencyColumn]),
    { key: 'kind', header: t('reasons.kind'), cell: ({ kind }) => t(`reasons.kinds.${kind}`) },
    {
      key: 'state',
      header: t('reasons.state'),
      cell: ({ isRetired }) => (
        <span className={isRetired ? 'text-ink-500' : 'font-semibold text-green-700'}>
          {t(isRetired ? 'reasons.retired' : 'reasons.inUse')}
        </span>
      ),
    },
    {
      key: 'number',
      header: t('dashboards:rejectionReasons.number'),
      align: 'end',
      cell: ({ id }) => count(id),
    },
    buttonColumn({
      call: saveRejectionReason,
      header: t('requests:fields.action'),
      text: t('reasons.edit'),
      labelOf: ({ names }) => t('reasons.editName', { name: names[language] }),
      onPress: onEdit,
    }),
  ];
}

/** The reasons from which staff choose when they return or reject a request, or add fines or fees. */
export function RejectionReasonsPage() {
  const { t } = useTranslation(['returns', 'dashboards']);
  const { language } = useLanguage();
  const [search] = useSearchParams();
  const filters = useSearchFilters();
  const [open, setOpen] = useState<ReasonRecord | 'new' | 'usual' | undefined>(
    search.get('add') === 'usual' ? 'usual' : undefined,
  );
  const query = useCall(getAllRejectionReasons, {});
  const columns = useColumns(setOpen);
  // A reason can be found by its name in any language.
  const list = paginateLocally(query, filters, ({ names }) =>
    [names[language], ...Object.values(names)].join(' '),
  );
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const add = (
    <Button
      call={saveRejectionReason}
      icon={<Plus aria-hidden size={18} />}
      onPress={() => setOpen('new')}
    >
      {t('reasons.add')}
    </Button>
  );
  const usual = (
    <Button call={addUsualReasons} variant="secondary" onPress={() => setOpen('usual')}>
      {t('reasons.usual')}
    </Button>
  );
  return (
    <>
      <AdminList
        title={t('dashboards:rejectionReasons.title')}
        lead={t(isOfAgency ? 'reasons.leadOfAgency' : 'dashboards:rejectionReasons.lead')}
        placeholder={t('dashboards:rejectionReasons.search')}
        filters={filters}
        list={list}
        columns={columns}
        rowKey={(reason) => reason.id}
        action={
          <>
            {add}
            {usual}
          </>
        }
        emptyText={t(isOfAgency ? 'reasons.emptyOfAgency' : 'reasons.emptyText')}
        emptyAction={isOfAgency ? add : usual}
      />
      {open === 'usual' ? (
        <UsualReasonsDialog onClose={() => setOpen(undefined)} />
      ) : open ? (
        <ReasonDialog
          key={open === 'new' ? 'new' : `${open.id} ${open.version}`}
          reason={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </>
  );
}

/** The usual reasons that the portal does not have yet. */
function UsualReasonsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('returns');
  const client = useQueryClient();
  const { data } = useCall(getUsualReasons, {});
  const add = useAction(addUsualReasons, {
    onSuccess: () => {
      for (const call of [
        getAllRejectionReasons,
        getUsualReasons,
        rejectionReasonCollection,
        chargeReasonCollection,
      ])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('reasons.usualAdded'), 'success');
      onClose();
    },
  });
  return (
    <UsualItemsDialog
      title={t('reasons.usual')}
      items={data}
      noteOf={(key) => t(`reasons.kinds.${data?.[key]?.kind}`)}
      isPending={add.isPending}
      onAdd={(keys) => add.mutate({ body: { keys } })}
      onClose={onClose}
    />
  );
}

interface ReasonValues {
  agencyId: string;
  name: LocalizedText;
  isRetired: boolean;
  kind: ReasonKind;
  /** Empty: about anything. */
  about: ReasonSubject | '';
}

const toBody = (
  { name, isRetired, kind, about, agencyId }: ReasonValues,
  reason: ReasonRecord | undefined,
) => ({
  ...(reason
    ? { id: reason.id, version: reason.version, isRetired }
    : { kind, ...(agencyId === '' ? {} : { agencyId: Number(agencyId) }) }),
  ...(about === '' ? {} : { about }),
  nameAr: name['ar-EG'],
  nameEn: name['en-US'],
  nameUr: name['ur-PK'],
});

const valuesOf = (reason: ReasonRecord | undefined): ReasonValues => ({
  name: reason?.names ?? noText,
  isRetired: reason?.isRetired ?? false,
  kind: reason?.kind ?? 'correction',
  about: reason?.about ?? '',
  agencyId: reason?.agency ? String(reason.agency.id) : '',
});

/** For the requests of which agency a new reason is; empty for all. */
function AgencyOfReason({ control }: { control: Control<ReasonValues> }) {
  const { t } = useTranslation('returns');
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const agencies = useAgencyChoices(getManagedAgencies);
  if (agencies.length === 0) return null;
  return (
    <FormField control={control} name="agencyId">
      {({ value, onChange, error }) => (
        <ComboField
          name="agencyId"
          label={t('reasons.agency')}
          description={isOfAgency ? undefined : t('reasons.agencyHint')}
          value={value}
          onChange={onChange}
          choices={agencies}
          isOptional={!isOfAgency}
          error={error}
        />
      )}
    </FormField>
  );
}

/** What a reason to return or reject is about: who marks an answer or a document is offered what fits. */
function SubjectOfReason({ control }: { control: Control<ReasonValues> }) {
  const { t } = useTranslation('returns');
  const kind = useWatch({ control, name: 'kind' });
  if (kind !== 'correction') return null;
  return (
    <FormField control={control} name="about">
      {({ value, onChange }) => (
        <RadioGroup
          name="about"
          label={t('reasons.about')}
          description={t('reasons.aboutHint')}
          value={value === '' ? 'anything' : value}
          onChange={(chosen) => onChange(reasonSubjects.find((each) => each === chosen) ?? '')}
          choices={(['anything', ...reasonSubjects] as const).map((each) => ({
            value: each,
            label: t(`reasons.subjects.${each}`),
          }))}
        />
      )}
    </FormField>
  );
}

/** Whether staff may go on choosing a reason, and who changed it. */
function Retirement({ control, reason }: { control: Control<ReasonValues>; reason: ReasonRecord }) {
  const { t } = useTranslation('returns');
  return (
    <>
      <FormField control={control} name="isRetired">
        {({ value: isRetired, onChange }) => (
          <Checkbox
            label={t(reason.isRetired ? 'reasons.restore' : 'reasons.retire')}
            hint={reason.isRetired ? undefined : t('reasons.retireHint')}
            value={reason.isRetired ? !isRetired : isRetired}
            onChange={(on) => onChange(reason.isRetired ? !on : on)}
          />
        )}
      </FormField>
      <ChangeHistory entity="rejectionReason" entityId={reason.id} />
    </>
  );
}

/** Adds a reason in three languages, or renames, retires or restores one. */
function ReasonDialog({
  reason,
  onClose,
}: {
  reason: ReasonRecord | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('returns');
  const client = useQueryClient();
  const form = useForm<ReasonValues>({ defaultValues: valuesOf(reason) });
  const name = useWatch({ control: form.control, name: 'name' });
  const blank = languages.find((language) => name[language].trim() === '');
  const errorsOf = (value: LocalizedText, error: ApiError | null) =>
    Object.fromEntries(
      languages.flatMap((language) => {
        const isBlank = value[language].trim() === '';
        const text = isBlank
          ? t('reasons.missing')
          : error?.fieldErrors[nameFields[language]]?.join(' ');
        return text ? [[language, text]] : [];
      }),
    );
  return (
    <RecordDialog
      form={form}
      title={t(reason ? 'reasons.editTitle' : 'reasons.addTitle')}
      submitLabel={t('reasons.save')}
      cancelLabel={t('reasons.cancel')}
      errorTitle={t('reasons.failed')}
      record={reason}
      valuesOf={valuesOf}
      call={saveRejectionReason}
      bodyOf={toBody}
      readAgain={async () =>
        (await send(getAllRejectionReasons, {})).find(({ id }) => id === reason?.id)
      }
      labels={{
        name: t('reasons.names'),
        isRetired: t('reasons.retired'),
        kind: t('reasons.kind'),
        about: t('reasons.about'),
        agencyId: t('reasons.agency'),
      }}
      fieldOfError={({ fieldErrors }) =>
        Object.keys(fieldErrors).some((name) => name !== 'agencyId') ? 'name' : undefined
      }
      onSaved={() => {
        for (const call of [
          getAllRejectionReasons,
          rejectionReasonCollection,
          chargeReasonCollection,
        ])
          void client.invalidateQueries({ queryKey: [call.name] });
        showToast(t('reasons.saved'), 'success');
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          {reason ? <p className="text-ink-600">{t('reasons.hint')}</p> : null}
          {reason ? null : <AgencyOfReason control={form.control} />}
          {reason ? null : (
            <FormField control={form.control} name="kind">
              {({ value, onChange }) => (
                <RadioGroup
                  name="kind"
                  label={t('reasons.kind')}
                  value={value}
                  onChange={(chosen) =>
                    onChange(reasonKinds.find((each) => each === chosen) ?? value)
                  }
                  choices={reasonKinds.map((kind) => ({
                    value: kind,
                    label: t(`reasons.kinds.${kind}`),
                  }))}
                />
              )}
            </FormField>
          )}
          <SubjectOfReason control={form.control} />
          <FormField
            control={form.control}
            name="name"
            focusId={`name.${blank ?? languages[0]}`}
            validate={(name) =>
              languages.some((language) => name[language].trim() === '')
                ? t('reasons.missing')
                : undefined
            }
          >
            {({ value, onChange, error: blankError }) => (
              <LocalizedFields
                legend={t('reasons.names')}
                name="name"
                value={value}
                onChange={onChange}
                maxLength={maximumReasonNameLength}
                error={blankError === undefined ? undefined : errorsOf(value, error)}
              />
            )}
          </FormField>
          {reason ? <Retirement control={form.control} reason={reason} /> : null}
        </>
      )}
    </RecordDialog>
  );
}
