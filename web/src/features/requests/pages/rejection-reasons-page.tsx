import { Plus } from 'lucide-react';
import { useState, useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useQueryClient } from '@tanstack/react-query';
import {
  getAllRejectionReasons,
  type ReasonKind,
  type ReasonRecord,
  maximumReasonNameLength,
  nameFields,
  reasonKinds,
  chargeReasonCollection,
  saveRejectionReason,
  rejectionReasonCollection,
} from '@diwan/contract/requests/rejection-reasons';
import { directionOf, languages } from '@diwan/contract/wire/languages';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useSearchFilters } from '../../../lib/browser/search-params.ts';
import { useCall, useAction } from '../../../lib/api/use-call.ts';
import { loadFonts } from '../../../lib/i18n/fonts.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { AdminList, paginateLocally } from '../../../ui/data/admin-list.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '../../../ui/forms/form-dialog.tsx';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import { TextAreaField } from '../../../ui/forms/text-area-field.tsx';

function useColumns(onEdit: (reason: ReasonRecord) => void): Column<ReasonRecord>[] {
  const { t } = useTranslation(['returns', 'dashboards', 'requests']);
  const { language } = useLanguage();
  const { count } = useFormat();
  return [
    {
      key: 'reason',
      header: t('dashboards:rejectionReasons.reason'),
      isPrimary: true,
      cell: ({ names }) => names[language],
    },
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
    {
      key: 'edit',
      header: t('requests:fields.action'),
      cell: (reason) => (
        <Button
          variant="secondary"
          size="sm"
          aria-label={t('reasons.editName', { name: reason.names[language] })}
          onPress={() => onEdit(reason)}
        >
          {t('reasons.edit')}
        </Button>
      ),
    },
  ];
}

/** The reasons from which staff choose when they return or reject a request, or add fines or fees. */
export function RejectionReasonsPage() {
  const { t } = useTranslation(['returns', 'dashboards']);
  const { language } = useLanguage();
  const filters = useSearchFilters();
  const [open, setOpen] = useState<ReasonRecord | 'new'>();
  const { data, ...rest } = useCall(getAllRejectionReasons, {});
  const columns = useColumns(setOpen);
  // A reason can be found by its name in any language.
  const list = {
    ...rest,
    data: paginateLocally(data, filters, ({ names }) =>
      [names[language], ...Object.values(names)].join(' '),
    ),
  };
  return (
    <>
      <AdminList
        title={t('dashboards:rejectionReasons.title')}
        lead={t('dashboards:rejectionReasons.lead')}
        placeholder={t('dashboards:rejectionReasons.search')}
        filters={filters}
        list={list}
        columns={columns}
        rowKey={(reason) => reason.id}
        action={
          <Button icon={<Plus aria-hidden size={18} />} onPress={() => setOpen('new')}>
            {t('reasons.add')}
          </Button>
        }
      />
      {open ? (
        <ReasonDialog
          key={open === 'new' ? 'new' : `${open.id} ${open.version}`}
          reason={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
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
  useEffect(() => {
    for (const language of languages) void loadFonts(language);
  }, []);
  const form = useForm({
    defaultValues: {
      nameAr: reason?.names['ar-EG'] ?? '',
      nameEn: reason?.names['en-US'] ?? '',
      nameUr: reason?.names['ur-PK'] ?? '',
      isRetired: reason?.isRetired ?? false,
      kind: reason?.kind ?? ('correction' as ReasonKind),
    },
  });
  const save = useAction(saveRejectionReason, {
    skipErrorHandling: true,
    onSuccess: () => {
      for (const call of [
        getAllRejectionReasons,
        rejectionReasonCollection,
        chargeReasonCollection,
      ])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('reasons.saved'), 'success');
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t(reason ? 'reasons.editTitle' : 'reasons.addTitle')}
      submitLabel={t('reasons.save')}
      cancelLabel={t('reasons.cancel')}
      isPending={save.isPending}
      error={save.error}
      errorTitle={t('reasons.failed')}
      errorPosition="bottom"
      onResetError={save.reset}
      submitsOnEnter={false}
      onSubmit={({ isRetired, kind, ...names }) =>
        save.mutate({
          body: {
            ...(reason ? { id: reason.id, version: reason.version, isRetired } : { kind }),
            ...names,
          },
        })
      }
      onClose={onClose}
    >
      {reason ? (
        <p className="text-ink-600">{t('reasons.hint')}</p>
      ) : (
        <FormField control={form.control} name="kind">
          {({ value, onChange }) => (
            <RadioGroup
              name="kind"
              label={t('reasons.kind')}
              value={value}
              onChange={(chosen) => onChange(reasonKinds.find((each) => each === chosen) ?? value)}
              choices={reasonKinds.map((kind) => ({
                value: kind,
                label: t(`reasons.kinds.${kind}`),
              }))}
            />
          )}
        </FormField>
      )}
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-2 font-semibold">{t('reasons.names')}</legend>
        {languages.map((language) => (
          <div key={language} dir={directionOf(language)}>
            <FormField
              control={form.control}
              name={nameFields[language]}
              validate={(name) => (name.trim() === '' ? t('reasons.missing') : undefined)}
            >
              {(field) => (
                <TextAreaField
                  {...field}
                  label={t(`languages.${language}`, { ns: 'shell' })}
                  lang={language}
                  dir={directionOf(language)}
                  rows={1}
                  maxLength={maximumReasonNameLength}
                />
              )}
            </FormField>
          </div>
        ))}
      </fieldset>
      {reason ? (
        <FormField control={form.control} name="isRetired">
          {({ value: isRetired, onChange }) => (
            <Checkbox
              label={t(reason.isRetired ? 'reasons.restore' : 'reasons.retire')}
              hint={reason.isRetired ? undefined : t('reasons.retireHint')}
              value={reason.isRetired ? !isRetired : isRetired}
              onChange={(on) => onChange(reason.isRetired ? !on : on)}
            />
          )}
        </FormField>
      ) : null}
    </FormDialog>
  );
}
