import { useState } from 'react';
import { useForm, type Control, type FieldValues } from 'react-hook-form';
import { queryClient } from '#lib/api/query-client.ts';
import { send } from '#lib/api/send.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { PartyFields, type PartyForm } from '#ui/editing/party-fields.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { AddressLine } from '#ui/values/address-line.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { findMissingAddress, type CompanyDetails } from '@diwan/contract/forms/parties';
import {
  getCompanyUsers,
  saveCompanyDetails,
  type CompanyUsers,
} from '@diwan/contract/people/companies';

/** What a form about a company holds for its invoices. */
export interface DetailsForm extends PartyForm {
  licenceNumber: string;
  licenceAuthority: string;
  licenceExpiresOn: string;
}

/** The details as the calls take them. */
export const detailsOf = (values: DetailsForm): CompanyDetails => {
  const { street, city, emirate, trn, licenceNumber, licenceAuthority, licenceExpiresOn } = values;
  const licence = { licenceNumber, licenceAuthority, licenceExpiresOn };
  return { street, city, emirate: emirate as CompanyDetails['emirate'], trn, ...licence };
};

/** What each field is called. */
export function useDetailLabels(): Record<keyof DetailsForm, string> {
  const { t } = useTranslation('parties');
  return {
    street: t('street'),
    city: t('city'),
    emirate: t('emirate'),
    trn: t('trn'),
    licenceNumber: t('licenceNumber'),
    licenceAuthority: t('licenceAuthority'),
    licenceExpiresOn: t('licenceExpiresOn'),
  };
}

const findMissing = (values: PartyForm) => findMissingAddress(detailsOf(values as DetailsForm));

/** The trade licence, the address and the tax registration number of a company. */
export function CompanyDetailFields<Values extends DetailsForm & FieldValues>({
  control: own,
}: {
  control: Control<Values>;
}) {
  const labels = useDetailLabels();
  const control = own as unknown as Control<DetailsForm>;
  return (
    <>
      <FormField control={control} name="licenceNumber">
        {(field) => (
          <TextField
            {...field}
            label={labels.licenceNumber}
            isOptional
            dir="ltr"
            width="medium"
            maxLength={40}
            focusIds={['LicenceNumberInUse']}
          />
        )}
      </FormField>
      <FormField control={control} name="licenceAuthority">
        {(field) => (
          <TextField {...field} label={labels.licenceAuthority} isOptional maxLength={100} />
        )}
      </FormField>
      <FormField control={control} name="licenceExpiresOn">
        {(field) => <DayField {...withoutBlur(field)} label={labels.licenceExpiresOn} />}
      </FormField>
      <PartyFields control={control} findMissing={findMissing} />
    </>
  );
}

const withoutBlur = ({
  name,
  value,
  onChange,
  error,
}: {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) => ({ name, value, onChange, ...(error ? { error } : {}) });

/** The details in words; the licence is left out where the page shows it elsewhere. */
export function CompanyDetailList({ details }: { details: CompanyDetails }) {
  const { t } = useTranslation('parties');
  const { date } = useFormat();
  const { street, city, emirate, trn, licenceNumber, licenceAuthority, licenceExpiresOn } = details;
  const none = <span className="text-ink-500">{t('none')}</span>;
  return (
    <KeyValueList
      items={[
        {
          label: t('licenceNumber'),
          value: licenceNumber ? <Reference>{licenceNumber}</Reference> : none,
        },
        {
          label: t('licenceAuthority'),
          value: licenceAuthority ? <bdi>{licenceAuthority}</bdi> : none,
        },
        {
          label: t('licenceExpiresOn'),
          value: licenceExpiresOn ? date(licenceExpiresOn) : none,
        },
        {
          label: t('address'),
          value: emirate ? <AddressLine street={street} city={city} emirate={emirate} /> : none,
        },
        { label: t('trn'), value: trn ? <Reference>{trn}</Reference> : none },
      ]}
    />
  );
}

function OwnDetailsDialog({ users, onClose }: { users: CompanyUsers; onClose: () => void }) {
  const { t } = useTranslation('parties');
  const labels = useDetailLabels();
  const valuesOf = ({ details }: CompanyUsers): DetailsForm => ({ ...details });
  const form = useForm<DetailsForm>({ defaultValues: valuesOf(users) });
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t('company.editTitle')}
      submitLabel={t('company.save')}
      cancelLabel={t('cancel')}
      errorTitle={t('company.failed')}
      record={users}
      valuesOf={valuesOf}
      call={saveCompanyDetails}
      bodyOf={(values, over) => ({ version: (over ?? users).version, ...detailsOf(values) })}
      readAgain={() => send(getCompanyUsers, {})}
      labels={labels}
      fieldOfError={({ name }) => (name === 'LicenceNumberInUse' ? 'licenceNumber' : undefined)}
      onSaved={(saved) => {
        queryClient.setQueriesData({ queryKey: [getCompanyUsers.name] }, () => saved);
        showToast(t('company.saved'), 'success');
      }}
      onClose={onClose}
    >
      {() => <CompanyDetailFields control={form.control} />}
    </RecordDialog>
  );
}

/** What invoices say about the user's own company; managers change it. */
export function OwnCompanyDetails({ users }: { users: CompanyUsers }) {
  const { t } = useTranslation('parties');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="flex flex-col items-start gap-3">
      <div>
        <h2 className="pb-1 text-lg">{t('company.title')}</h2>
        <p className="text-ink-600">{t('company.lead')}</p>
      </div>
      {users.isManager && users.details.emirate === '' ? (
        <Alert>{t('company.missing')}</Alert>
      ) : null}
      <div className="w-full max-w-form">
        <CompanyDetailList details={users.details} />
      </div>
      {users.isManager ? (
        <Button variant="secondary" onPress={() => setIsOpen(true)}>
          {t('company.edit')}
        </Button>
      ) : null}
      {isOpen ? <OwnDetailsDialog users={users} onClose={() => setIsOpen(false)} /> : null}
    </section>
  );
}
