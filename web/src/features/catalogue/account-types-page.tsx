import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { AdminList, paginateLocally } from '#ui/data/admin-list.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { buttonColumn, type Column } from '#ui/data/data-table.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import {
  getAccountTypeRecords,
  getAllAccountTypes,
  getAllAccountTypesByLogo,
  saveAccountType,
  type AccountTypeRecord,
} from '@diwan/contract/catalogue/account-types';
import {
  maximumGroupDescriptionLength,
  maximumGroupNameLength,
} from '@diwan/contract/catalogue/groups';
import type { LocalizedText } from '@diwan/contract/wire/languages';

const textNames = ['name', 'description', 'alt'] as const;
type Texts = Record<(typeof textNames)[number], LocalizedText>;

const textsOf = ({ name, description, alt }: AccountTypeRecord): Texts => ({
  name,
  description,
  alt,
});

/** Changes the texts of an account type. */
function AccountTypeDialog({ type, onClose }: { type: AccountTypeRecord; onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const client = useQueryClient();
  const form = useForm<Texts>({ defaultValues: textsOf(type) });
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t('accountTypes.edit')}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      errorTitle={t('failed')}
      record={type}
      valuesOf={textsOf}
      call={saveAccountType}
      bodyOf={(texts, over) => ({ id: type.id, version: (over ?? type).version, ...texts })}
      readAgain={async () =>
        (await send(getAccountTypeRecords, {})).find(({ id }) => id === type.id)
      }
      labels={{
        name: t('accountTypes.name'),
        description: t('accountTypes.description'),
        alt: t('accountTypes.alt'),
      }}
      onSaved={() => {
        for (const call of [getAccountTypeRecords, getAllAccountTypes, getAllAccountTypesByLogo])
          void client.invalidateQueries({ queryKey: [call.name] });
        showToast(t('saved'), 'success');
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          {textNames.map((name) => (
            <LocalizedFormField
              key={name}
              control={form.control}
              name={name}
              legend={t(`accountTypes.${name}`)}
              rows={name === 'description' ? 3 : 1}
              maxLength={
                name === 'description' ? maximumGroupDescriptionLength : maximumGroupNameLength
              }
              error={error}
            />
          ))}
          <ChangeHistory entity="accountType" entityId={type.id} />
        </>
      )}
    </RecordDialog>
  );
}

function useColumns(onEdit: (type: AccountTypeRecord) => void): Column<AccountTypeRecord>[] {
  const { t } = useTranslation('catalogue');
  const { language } = useLanguage();
  const { count } = useFormat();
  return [
    {
      key: 'name',
      header: t('accountTypes.name'),
      isPrimary: true,
      cell: ({ name, logo }) => (
        <span className="flex items-center gap-3">
          <img src={logo} alt="" width={32} height={32} className="size-8 shrink-0" />
          <span>{name[language]}</span>
        </span>
      ),
    },
    {
      key: 'description',
      header: t('accountTypes.description'),
      cell: ({ description }) => description[language],
    },
    {
      key: 'number',
      header: t('accountTypes.number'),
      align: 'end',
      cell: ({ id }) => count(id),
    },
    buttonColumn({
      call: saveAccountType,
      header: t('action'),
      text: t('edit'),
      labelOf: (type) => t('editName', { name: type.name[language] }),
      onPress: onEdit,
    }),
  ];
}

/** The three account types: their numbers and addresses are fixed, their texts are not. */
export function AccountTypesPage() {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const filters = useSearchFilters();
  const [open, setOpen] = useState<AccountTypeRecord>();
  const query = useCall(getAccountTypeRecords, {});
  const list = paginateLocally(query, filters, ({ name }) => Object.values(name).join(' '));
  const columns = useColumns(setOpen);
  return (
    <>
      <AdminList
        title={t('dashboards:accountTypes.title')}
        lead={t('accountTypes.lead')}
        placeholder={t('accountTypes.search')}
        filters={filters}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
      />
      {open ? (
        <AccountTypeDialog key={open.id} type={open} onClose={() => setOpen(undefined)} />
      ) : null}
    </>
  );
}
