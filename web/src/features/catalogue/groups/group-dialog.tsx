import { useQueryClient } from '@tanstack/react-query';
import { useForm, type Control } from 'react-hook-form';
import { send } from '#lib/api/send.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { noText } from '#ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { LogoField } from '#ui/files/logo-field.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import {
  maximumCentresLength,
  maximumGroupDescriptionLength,
  maximumGroupNameLength,
  type GroupRecord,
} from '@diwan/contract/catalogue/groups';
import { emirates } from '@diwan/contract/forms/emirates';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { groupCalls, type GroupKind } from './group-calls.ts';

interface GroupValues {
  name: LocalizedText;
  description: LocalizedText;
  centres: LocalizedText;
  logo: string;
  /** Of an agency; empty where it has none. */
  emirate: string;
  isRetired: boolean;
}

const valuesOf = (group: GroupRecord | undefined): GroupValues => ({
  name: group?.name ?? noText,
  description: group?.description ?? noText,
  centres: group?.centres ?? noText,
  logo: group?.logo ?? '/logos/neutral.svg',
  emirate: group?.emirate ?? '',
  isRetired: group?.isRetired ?? false,
});

/** Where an agency supplies its services, for VAT. */
function EmirateField({ control }: { control: Control<GroupValues> }) {
  const { t } = useTranslation(['catalogue', 'forms']);
  return (
    <FormField control={control} name="emirate">
      {({ value, onChange }) => (
        <SelectField
          label={t('groups.emirate')}
          description={t('groups.emirateHint')}
          isOptional
          value={value === '' ? '-' : value}
          onChange={(chosen) => onChange(chosen === '-' ? '' : chosen)}
          choices={[
            { value: '-', label: t('groups.noEmirate') },
            ...emirates.map((name) => ({ value: name, label: t(`forms:emirates.${name}`) })),
          ]}
        />
      )}
    </FormField>
  );
}

/** Adds an agency or a category, or changes, retires or restores one. */
export function GroupDialog({
  kind,
  group,
  onClose,
}: {
  kind: GroupKind;
  group: GroupRecord | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('catalogue');
  const client = useQueryClient();
  const { entity, read, save: call, changes } = groupCalls[kind];
  const isDescribed = kind === 'categories';
  const form = useForm<GroupValues>({ defaultValues: valuesOf(group) });
  const isUsed = (group?.servicesCount ?? 0) > 0 && !group?.isRetired;
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t(group ? `${kind}.edit` : `${kind}.add`)}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      errorTitle={t('failed')}
      record={group}
      valuesOf={valuesOf}
      call={call}
      bodyOf={({ name, description, centres, logo, emirate, isRetired }, over) => ({
        ...(over ? { id: over.id, version: over.version, isRetired } : {}),
        name,
        // The call of an agency has no description.
        ...(isDescribed
          ? { description }
          : {
              description: undefined as never,
              centres: languages.some((each) => centres[each].trim() !== '') ? centres : null,
              emirate: emirates.find((each) => each === emirate) ?? null,
            }),
        logo,
      })}
      readAgain={async () => (await send(read, {})).find(({ id }) => id === group?.id)}
      labels={{
        name: t('groups.name'),
        description: t('groups.description'),
        centres: t('agencies.centres'),
        logo: t('logo.label'),
        emirate: t('groups.emirate'),
        isRetired: t('retired'),
      }}
      fieldOfError={({ name }) => (name === 'GroupInUse' ? 'isRetired' : undefined)}
      onSaved={() => {
        for (const each of [read, changes])
          void client.invalidateQueries({ queryKey: [each.name] });
        showToast(t('saved'), 'success');
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <LocalizedFormField
            control={form.control}
            name="name"
            legend={t('groups.name')}
            rows={2}
            maxLength={maximumGroupNameLength}
            error={error}
          />
          {isDescribed ? (
            <LocalizedFormField
              control={form.control}
              name="description"
              legend={t('groups.description')}
              rows={3}
              maxLength={maximumGroupDescriptionLength}
              error={error}
            />
          ) : (
            <LocalizedFormField
              control={form.control}
              name="centres"
              legend={t('agencies.centres')}
              description={t('agencies.centresHint')}
              rows={4}
              maxLength={maximumCentresLength}
              isOptional
              error={error}
            />
          )}
          <FormField control={form.control} name="logo">
            {({ value, onChange }) => <LogoField value={value} onChange={onChange} />}
          </FormField>
          {isDescribed ? null : <EmirateField control={form.control} />}
          {group ? (
            <>
              <FormField control={form.control} name="isRetired" focusId="isRetired">
                {({ value: isRetired, onChange, error: refused }) => (
                  <Checkbox
                    name="isRetired"
                    focusIds={['GroupInUse']}
                    label={t(group.isRetired ? `${kind}.restore` : `${kind}.retire`)}
                    hint={
                      group.isRetired
                        ? undefined
                        : isUsed
                          ? t('groups.usedHint', { count: group.servicesCount })
                          : t('groups.retireHint')
                    }
                    error={refused}
                    value={group.isRetired ? !isRetired : isRetired}
                    onChange={(on) => onChange(group.isRetired ? !on : on)}
                  />
                )}
              </FormField>
              <ChangeHistory entity={entity} entityId={group.id} />
            </>
          ) : null}
        </>
      )}
    </RecordDialog>
  );
}
