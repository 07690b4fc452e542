import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, type Control } from 'react-hook-form';
import { send } from '#lib/api/send.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminList, paginateLocally } from '#ui/data/admin-list.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { buttonColumn, type Column } from '#ui/data/data-table.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { OrderDialog, OrderedListActions } from '#ui/editing/order-dialog.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { UsualItemsDialog } from '#ui/editing/usual-items-dialog.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { maximumGroupNameLength } from '@diwan/contract/catalogue/groups';
import {
  addUsualAttachmentTypes,
  getAttachmentTypes,
  getUsualAttachmentTypes,
  maximumTypeBytes,
  maximumTypeDescriptionLength,
  orderAttachmentTypes,
  saveAttachmentType,
  type AttachmentType,
} from '@diwan/contract/content/attachment-types';
import { mediaTypes } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';

const megabyte = 1_048_576;
const maximumFiles = 10;

interface TypeValues {
  name: LocalizedText;
  description: LocalizedText;
  /** The chosen media types, with commas between. */
  formats: string;
  megabytes: number;
  count: number;
  isRetired: boolean;
}

const valuesOf = (type: AttachmentType | undefined): TypeValues => ({
  name: type?.name ?? noText,
  description: type?.description ?? noText,
  formats: (type?.mediaTypes ?? mediaTypes).join(','),
  megabytes: (type?.maximumBytes ?? 5 * megabyte) / megabyte,
  count: type?.maximumCount ?? 1,
  isRetired: type?.isRetired ?? false,
});

const listOf = (formats: string) => mediaTypes.filter((type) => formats.split(',').includes(type));

const bodyOf = (
  { name, description, formats, megabytes, count, isRetired }: TypeValues,
  over: AttachmentType | undefined,
) => ({
  ...(over ? { id: over.id, version: over.version, isRetired } : {}),
  name,
  ...(Object.values(description).some((text) => text.trim() !== '') ? { description } : {}),
  mediaTypes: listOf(formats),
  maximumBytes: Math.round(megabytes * megabyte),
  maximumCount: count,
});

interface FieldsProps {
  control: Control<TypeValues>;
}

/** An optional description: in all languages, or in none. */
function DescriptionField({ control }: FieldsProps) {
  const { t } = useTranslation(['catalogue', 'changes']);
  return (
    <FormField
      control={control}
      name="description"
      validate={(text) => {
        const blank = Object.values(text).filter((each) => each.trim() === '').length;
        return blank === 1 || blank === 2 ? t('changes:missing') : undefined;
      }}
    >
      {({ value, onChange, error: blank }) => (
        <LocalizedFields
          isOptional
          legend={t('groups.description')}
          name="description"
          rows={2}
          maxLength={maximumTypeDescriptionLength}
          value={value}
          onChange={onChange}
          {...(blank ? { error: blank } : {})}
        />
      )}
    </FormField>
  );
}

/** The formats of files that are accepted. */
function FormatsField({ control }: FieldsProps) {
  const { t } = useTranslation(['catalogue', 'designer']);
  return (
    <FormField
      control={control}
      name="formats"
      validate={(formats) => (formats === '' ? t('attachmentTypes.formatsMissing') : undefined)}
    >
      {({ value, onChange, error }) => (
        <CheckboxGroup
          label={t('attachmentTypes.formats')}
          error={error}
          value={listOf(value)}
          choices={mediaTypes.map((each) => ({
            value: each,
            label: t(`designer:mediaTypes.${each.split('/')[1]}`),
          }))}
          onChange={(chosen) => onChange(listOf(chosen.join(',')).join(','))}
        />
      )}
    </FormField>
  );
}

/** The largest size of a file, and the number of files. */
function LimitFields({ control }: FieldsProps) {
  const { t } = useTranslation('catalogue');
  const largest = maximumTypeBytes / megabyte;
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-4">
      <FormField
        control={control}
        name="megabytes"
        validate={(size) =>
          size > 0 && size <= largest
            ? undefined
            : t('attachmentTypes.sizeWrong', { maximum: largest })
        }
      >
        {({ value, onChange, error }) => (
          <NumberField
            label={t('attachmentTypes.size')}
            value={value}
            error={error}
            onChange={(size) => onChange(size ?? NaN)}
          />
        )}
      </FormField>
      <FormField
        control={control}
        name="count"
        validate={(count) =>
          Number.isInteger(count) && count >= 1 && count <= maximumFiles
            ? undefined
            : t('attachmentTypes.countWrong', { maximum: maximumFiles })
        }
      >
        {({ value, onChange, error }) => (
          <NumberField
            label={t('attachmentTypes.count')}
            value={value}
            error={error}
            onChange={(count) => onChange(count ?? NaN)}
          />
        )}
      </FormField>
    </div>
  );
}

/** Retires a type that is in use, or restores a retired one. */
function RetiredField({ control, wasRetired }: FieldsProps & { wasRetired: boolean }) {
  const { t } = useTranslation('catalogue');
  return (
    <FormField control={control} name="isRetired">
      {({ value: isRetired, onChange }) => (
        <Checkbox
          label={t(wasRetired ? 'attachmentTypes.restore' : 'attachmentTypes.retire')}
          hint={wasRetired ? undefined : t('attachmentTypes.retireHint')}
          value={wasRetired ? !isRetired : isRetired}
          onChange={(on) => onChange(wasRetired ? !on : on)}
        />
      )}
    </FormField>
  );
}

/** Adds a type of document, or changes, retires or restores one. */
function TypeDialog({ type, onClose }: { type: AttachmentType | undefined; onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const client = useQueryClient();
  const form = useForm<TypeValues>({ defaultValues: valuesOf(type) });
  const { control } = form;
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t(type ? 'attachmentTypes.edit' : 'attachmentTypes.add')}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      errorTitle={t('failed')}
      record={type}
      valuesOf={valuesOf}
      call={saveAttachmentType}
      bodyOf={bodyOf}
      readAgain={async () => (await send(getAttachmentTypes, {})).find(({ id }) => id === type?.id)}
      labels={{
        name: t('groups.name'),
        description: t('groups.description'),
        formats: t('attachmentTypes.formats'),
        megabytes: t('attachmentTypes.size'),
        count: t('attachmentTypes.count'),
        isRetired: t('retired'),
      }}
      onSaved={() => {
        void client.invalidateQueries({ queryKey: [getAttachmentTypes.name] });
        showToast(t('saved'), 'success');
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <LocalizedFormField
            control={control}
            name="name"
            legend={t('groups.name')}
            maxLength={maximumGroupNameLength}
            error={error}
          />
          <DescriptionField control={control} />
          <FormatsField control={control} />
          <LimitFields control={control} />
          {type ? (
            <>
              <RetiredField control={control} wasRetired={type.isRetired} />
              <ChangeHistory entity="attachmentType" entityId={type.id} />
            </>
          ) : null}
        </>
      )}
    </RecordDialog>
  );
}

function useColumns(onEdit: (type: AttachmentType) => void): Column<AttachmentType>[] {
  const { t } = useTranslation(['catalogue', 'designer', 'shell']);
  const { language } = useLanguage();
  const { fileSize } = useFormat();
  return [
    {
      key: 'name',
      header: t('groups.name'),
      isPrimary: true,
      cell: ({ name, description }) => (
        <>
          <span className="block">{name[language]}</span>
          <span className="block text-sm font-normal text-ink-500">{description?.[language]}</span>
        </>
      ),
    },
    {
      key: 'formats',
      header: t('attachmentTypes.formats'),
      cell: (type) =>
        type.mediaTypes
          .map((each) => t(`designer:mediaTypes.${each.split('/')[1]}`))
          .join(t('shell:listSeparator')),
    },
    {
      key: 'limits',
      header: t('attachmentTypes.size'),
      cell: ({ maximumBytes, maximumCount }) => (
        <>
          <bdi className="block">{t('attachmentTypes.upTo', { size: fileSize(maximumBytes) })}</bdi>
          <span className="block text-sm text-ink-500">
            {t('attachmentTypes.files', { count: maximumCount })}
          </span>
        </>
      ),
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ isRetired }) => (
        <StatusTag tone={isRetired ? 'refused' : 'done'}>
          {t(isRetired ? 'retired' : 'inUse')}
        </StatusTag>
      ),
    },
    buttonColumn({
      call: saveAttachmentType,
      header: t('action'),
      text: t('edit'),
      labelOf: (type) => t('editName', { name: type.name[language] }),
      onPress: onEdit,
    }),
  ];
}

/** The usual types that the portal does not have yet. */
function UsualTypesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const client = useQueryClient();
  const { data } = useCall(getUsualAttachmentTypes, {});
  const add = useAction(addUsualAttachmentTypes, {
    onSuccess: () => {
      for (const call of [getAttachmentTypes, getUsualAttachmentTypes])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('attachmentTypes.usualAdded'), 'success');
      onClose();
    },
  });
  return (
    <UsualItemsDialog
      title={t('attachmentTypes.usual')}
      items={data}
      isPending={add.isPending}
      onAdd={(keys) => add.mutate({ body: { keys } })}
      onClose={onClose}
    />
  );
}

/** All types of documents, retired ones too: add, edit, put in order, retire and restore. */
export function AttachmentTypes() {
  const { t } = useTranslation('catalogue');
  const [search] = useSearchParams();
  const filters = useSearchFilters('show');
  const [open, setOpen] = useState<AttachmentType | 'new' | 'order' | 'usual' | undefined>(
    search.get('add') === 'usual' ? 'usual' : undefined,
  );
  const query = useCall(getAttachmentTypes, {});
  const columns = useColumns(setOpen);
  const list = paginateLocally(query, filters, ({ name, description }) =>
    [...Object.values(name), ...Object.values(description ?? {})].join(' '),
  );
  const close = () => setOpen(undefined);
  const usual = (
    <Button call={addUsualAttachmentTypes} variant="secondary" onPress={() => setOpen('usual')}>
      {t('attachmentTypes.usual')}
    </Button>
  );
  return (
    <>
      <AdminList
        title={t('attachmentTypes.title')}
        lead={t('attachmentTypes.lead')}
        placeholder={t('attachmentTypes.search')}
        filters={filters}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        emptyTitle={t('attachmentTypes.empty')}
        emptyAction={usual}
        action={
          <OrderedListActions
            addLabel={t('attachmentTypes.add')}
            calls={{ save: saveAttachmentType, order: orderAttachmentTypes }}
            count={query.data?.length ?? 0}
            onOpen={setOpen}
          >
            {usual}
            <LinkButton to="/dashboard/attachments" variant="secondary">
              {t('attachmentTypes.toFiles')}
            </LinkButton>
          </OrderedListActions>
        }
      />
      {open === 'usual' ? (
        <UsualTypesDialog onClose={close} />
      ) : open === 'order' ? (
        <OrderDialog
          records={query.data ?? []}
          call={orderAttachmentTypes}
          reads={[getAttachmentTypes]}
          onClose={close}
        />
      ) : open ? (
        <TypeDialog
          key={open === 'new' ? 'new' : open.id}
          type={open === 'new' ? undefined : open}
          onClose={close}
        />
      ) : null}
    </>
  );
}
