import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useCall, useReadAgain } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { noText } from '#ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { nothing, PartyFields, type PartyForm } from '#ui/editing/party-fields.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { AddressLine } from '#ui/values/address-line.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  findMissingOfSeller,
  getSellers,
  registrationKinds,
  saveSeller,
  type Seller,
} from '@diwan/contract/payments/sellers';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { useAgencies } from '../administration/routing/rule-dialog.tsx';

interface SellerForm extends PartyForm {
  agencyId: string;
  isOwnSeller: boolean;
  legalName: LocalizedText;
  registrationKind: string;
  registrationNumber: string;
  registrationAuthority: string;
}

const blank: SellerForm = {
  agencyId: '',
  isOwnSeller: true,
  legalName: noText,
  street: '',
  city: '',
  emirate: '',
  trn: '',
  registrationKind: '',
  registrationNumber: '',
  registrationAuthority: '',
};

const valuesOf = (seller: Seller | undefined): SellerForm => {
  if (!seller) return blank;
  const { agencyId, agencyName: _name, version: _version, ...values } = seller;
  return { ...values, agencyId: agencyId === undefined ? '' : String(agencyId) };
};

const bodyOf = (
  { agencyId, emirate, registrationKind, ...values }: SellerForm,
  version: number,
) => ({
  ...values,
  ...(agencyId ? { agencyId: Number(agencyId) } : {}),
  emirate: emirate as Seller['emirate'],
  registrationKind: registrationKind as Seller['registrationKind'],
  version,
});

const findMissing = (values: PartyForm) => findMissingOfSeller(bodyOf(values as SellerForm, 0));

/** What registers the seller: its kind, its number and who issued a licence. */
function RegistrationFields({ form }: { form: ReturnType<typeof useForm<SellerForm>> }) {
  const { t } = useTranslation('parties');
  const { control } = form;
  const missing = (name: keyof SellerForm) => (_: unknown, values: SellerForm) =>
    findMissing(values).some((each) => each === name) ? t('required') : undefined;
  const kind = useWatch({ control, name: 'registrationKind' });
  return (
    <>
      <FormField control={control} name="registrationKind" validate={missing('registrationKind')}>
        {(field) => (
          <SelectField
            {...field}
            isOptional
            label={t('registrationKind')}
            value={field.value === '' ? nothing : field.value}
            onChange={(value) => field.onChange(value === nothing ? '' : value)}
            choices={[
              { value: nothing, label: t('none') },
              ...registrationKinds.map((value) => ({
                value,
                label: t(`registrationKinds.${value}`),
              })),
            ]}
          />
        )}
      </FormField>
      <FormField
        control={control}
        name="registrationNumber"
        validate={missing('registrationNumber')}
      >
        {(field) => (
          <TextField
            {...field}
            isOptional={kind === ''}
            label={t('registrationNumber')}
            dir="ltr"
            width="medium"
            maxLength={60}
          />
        )}
      </FormField>
      {kind === 'tradeLicence' ? (
        <FormField
          control={control}
          name="registrationAuthority"
          validate={missing('registrationAuthority')}
        >
          {(field) => <TextField {...field} label={t('licenceAuthority')} maxLength={100} />}
        </FormField>
      ) : null}
    </>
  );
}

/** The agency of a new seller, and whether it sells its own fees. */
function AgencyFields({
  form: { control },
  isNew,
  taken,
}: {
  form: ReturnType<typeof useForm<SellerForm>>;
  isNew: boolean;
  taken: readonly string[];
}) {
  const { t } = useTranslation('parties');
  const agencies = useAgencies().filter(({ value }) => !taken.includes(value));
  return (
    <>
      {isNew ? (
        <FormField
          control={control}
          name="agencyId"
          validate={(value) => (value === '' ? t('required') : undefined)}
        >
          {(field) => <ComboField {...field} label={t('sellers.agency')} choices={agencies} />}
        </FormField>
      ) : null}
      <FormField control={control} name="isOwnSeller">
        {(field) => <Checkbox {...field} label={t('sellers.own')} hint={t('sellers.ownHint')} />}
      </FormField>
    </>
  );
}

/** Changes what invoices say about a seller. Without a seller: about an agency that is chosen. */
function SellerDialog({
  seller,
  sellers,
  onClose,
}: {
  seller: Seller | undefined;
  sellers: readonly Seller[];
  onClose: () => void;
}) {
  const { t } = useTranslation('parties');
  const client = useQueryClient();
  const form = useForm<SellerForm>({ defaultValues: valuesOf(seller) });
  const isOperator = seller !== undefined && seller.agencyId === undefined;
  const readAll = useReadAgain(getSellers);
  const isSame = (each: Seller) => String(each.agencyId ?? '') === form.getValues('agencyId');
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t(isOperator ? 'sellers.editOperator' : seller ? 'sellers.editAgency' : 'sellers.add')}
      submitLabel={t('sellers.save')}
      cancelLabel={t('cancel')}
      errorTitle={t('sellers.failed')}
      record={seller}
      valuesOf={valuesOf}
      call={saveSeller}
      bodyOf={(values, over) => bodyOf(values, (over ?? seller)?.version ?? 0)}
      readAgain={async () => (await readAll()).find(isSame)}
      labels={{
        agencyId: t('sellers.agency'),
        isOwnSeller: t('sellers.own'),
        legalName: t('legalName'),
        street: t('street'),
        city: t('city'),
        emirate: t('emirate'),
        trn: t('trn'),
        registrationKind: t('registrationKind'),
        registrationNumber: t('registrationNumber'),
        registrationAuthority: t('licenceAuthority'),
      }}
      onSaved={(saved) => {
        client.setQueriesData({ queryKey: [getSellers.name] }, () => saved);
        showToast(t('sellers.saved'), 'success');
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p className="text-ink-600">{t('sellers.later')}</p>
          {isOperator ? null : (
            <AgencyFields
              form={form}
              isNew={seller === undefined}
              taken={sellers.map(({ agencyId }) => String(agencyId))}
            />
          )}
          <LocalizedFormField
            control={form.control}
            name="legalName"
            legend={t('legalName')}
            maxLength={200}
            error={error}
          />
          <PartyFields control={form.control} findMissing={findMissing} />
          <RegistrationFields form={form} />
          {seller && seller.version > 0 ? (
            <ChangeHistory entity="seller" entityId={seller.agencyId ?? 'operator'} />
          ) : null}
        </>
      )}
    </RecordDialog>
  );
}

function useColumns(onEdit: (seller: Seller) => void): Column<Seller>[] {
  const { t } = useTranslation('parties');
  const { language } = useLanguage();
  const nameOf = ({ agencyName, legalName }: Seller) => (agencyName ?? legalName)[language];
  return [
    {
      key: 'name',
      header: t('sellers.name'),
      isPrimary: true,
      cell: (seller) => (
        <span className="flex flex-col gap-1">
          <bdi>{nameOf(seller)}</bdi>
          <span>
            <StatusTag
              tone={seller.agencyId === undefined || seller.isOwnSeller ? 'done' : 'waiting'}
            >
              {t(
                seller.agencyId === undefined
                  ? seller.version === 0
                    ? 'sellers.notStored'
                    : 'sellers.operator'
                  : seller.isOwnSeller
                    ? 'sellers.sells'
                    : 'sellers.doesNotSell',
              )}
            </StatusTag>
          </span>
        </span>
      ),
    },
    {
      key: 'trn',
      header: t('trn'),
      cell: ({ trn }) =>
        trn ? <Reference>{trn}</Reference> : <span className="text-ink-600">{t('noTrn')}</span>,
    },
    {
      key: 'address',
      header: t('address'),
      cell: ({ street, city, emirate }) =>
        emirate ? (
          <AddressLine street={street} city={city} emirate={emirate} />
        ) : (
          <span className="text-ink-600">{t('none')}</span>
        ),
    },
    {
      key: 'action',
      header: t('sellers.action'),
      isControl: true,
      call: saveSeller,
      cell: (seller) => (
        <Button
          size="sm"
          variant="secondary"
          aria-label={t('sellers.editName', { name: nameOf(seller) })}
          onPress={() => onEdit(seller)}
        >
          {t('sellers.edit')}
        </Button>
      ),
    },
  ];
}

/** Who sells: the operator of the portal, and the agencies that sell their own fees. */
export function SellersTab() {
  const { t } = useTranslation('parties');
  const [open, setOpen] = useState<{ seller?: Seller }>();
  const { data, error, refetch, isRefetching } = useCall(getSellers, {});
  const columns = useColumns((seller) => setOpen({ seller }));
  if (error && !data)
    return (
      <ErrorState
        error={error}
        title={t('sellers.unread')}
        onRetry={refetch}
        isRetrying={isRefetching}
      />
    );
  if (!data) return <SkeletonRows count={3} />;
  return (
    <section className="flex flex-col items-start gap-3">
      <p className="text-ink-600">{t('sellers.lead')}</p>
      <Button call={saveSeller} icon={<Plus aria-hidden size={18} />} onPress={() => setOpen({})}>
        {t('sellers.add')}
      </Button>
      <div className="w-full">
        <DataTable
          caption={t('sellers.title')}
          columns={columns}
          rows={data}
          rowKey={(row) => String(row.agencyId ?? 'operator')}
        />
      </div>
      {open ? (
        <SellerDialog seller={open.seller} sellers={data} onClose={() => setOpen(undefined)} />
      ) : null}
    </section>
  );
}
