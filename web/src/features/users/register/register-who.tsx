import { useTranslation } from 'react-i18next';
import { hasRightCheckDigit, readEmiratesId } from '@diwan/contract/people/new-account';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import type { RegisterState } from './register-state.ts';

function CompanyFields({ state: { values, messages, change } }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  const name = (key: 'nameAr' | 'nameEn' | 'nameUr', isOptional: boolean) => (
    <TextField
      name={`company.${key}`}
      label={t(`register.${key}`)}
      isOptional={isOptional}
      value={values[key]}
      maxLength={200}
      dir={key === 'nameEn' ? 'ltr' : 'auto'}
      autoComplete="off"
      onChange={(value) => change({ [key]: value }, `company.${key}`, 'company.nameAr')}
      error={messages.of(`company.${key}`)}
    />
  );
  return (
    <>
      <p className="text-ink-600">{t('register.companyNames')}</p>
      {name('nameAr', true)}
      {name('nameEn', true)}
      {name('nameUr', true)}
      <TextField
        name="company.licenceNumber"
        focusIds={['CompanyLicenceInUse']}
        label={t('register.licenceNumber')}
        description={t('register.licenceHint')}
        value={values.licenceNumber}
        maxLength={60}
        dir="ltr"
        width="medium"
        onChange={(licenceNumber) => change({ licenceNumber }, 'company.licenceNumber')}
        error={messages.of('company.licenceNumber')}
      />
    </>
  );
}

/** Who registers: a person, or a company with the person who will manage it. */
export function RegisterWho({ state }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  const { values, messages, change } = state;
  const emiratesId = readEmiratesId(values.emiratesId);
  return (
    <>
      <RadioGroup
        name="kind"
        label={t('register.kind')}
        value={values.kind}
        onChange={(kind) => change({ kind: kind === 'company' ? 'company' : 'individual' })}
        choices={(['individual', 'company'] as const).map((kind) => ({
          value: kind,
          label: t(`register.kinds.${kind}`),
          hint: t(`register.kindHints.${kind}`),
        }))}
      />
      {values.kind === 'company' ? <CompanyFields state={state} /> : null}
      <TextField
        name="fullName"
        label={t(values.kind === 'company' ? 'register.managerName' : 'register.fullName')}
        description={t('register.fullNameHint')}
        value={values.fullName}
        maxLength={200}
        dir="auto"
        autoComplete="name"
        onChange={(fullName) => change({ fullName })}
        error={messages.of('fullName')}
      />
      {values.kind === 'individual' ? (
        <>
          <TextField
            name="emiratesId"
            label={t('register.emiratesId')}
            description={t('register.emiratesIdHint')}
            isOptional
            value={values.emiratesId}
            maxLength={40}
            inputMode="numeric"
            dir="ltr"
            width="medium"
            autoComplete="off"
            onChange={(value) => change({ emiratesId: value })}
            error={messages.of('emiratesId')}
          />
          {emiratesId && !hasRightCheckDigit(emiratesId) ? (
            <Notice tone="warning" isLive>
              {t('register.emiratesIdWarning')}
            </Notice>
          ) : null}
        </>
      ) : null}
    </>
  );
}
