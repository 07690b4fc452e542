import { useUAEPass } from '#lib/auth/uae-pass.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { hasValidCheckDigit, findEmiratesId } from '@diwan/contract/people/new-account';
import { ContactFields } from '../fields/account-fields.tsx';
import { CodeField } from '../fields/code-field.tsx';
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

/** The first step: a person, or a company with its manager. */
export function RegisterWho({ state }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  const isUAEPassEnabled = useUAEPass();
  const { values, messages, change } = state;
  const emiratesId = findEmiratesId(values.emiratesId);
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
            description={t(
              isUAEPassEnabled ? 'register.emiratesIdHintUAEPass' : 'register.emiratesIdHint',
            )}
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
          {emiratesId && !hasValidCheckDigit(emiratesId) ? (
            <Alert tone="warning" isLive>
              {t('register.emiratesIdWarning')}
            </Alert>
          ) : null}
        </>
      ) : null}
    </>
  );
}

/** How a person is reached, and which of the two proves it. */
export function RegisterContact({ state }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  const { values, change } = state;
  return (
    <>
      <ContactFields state={state} />
      <RadioGroup
        name="channel"
        label={t('register.channel')}
        isInline
        value={values.channel}
        onChange={(channel) => change({ channel: channel === 'sms' ? 'sms' : 'email' })}
        choices={[
          { value: 'email', label: t('register.byEmail') },
          { value: 'sms', label: t('register.bySms') },
        ]}
      />
    </>
  );
}

export function RegisterCode({ state }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  const { values, messages, change, sent } = state;
  return (
    <>
      <p>
        {t('code.sentTo')}{' '}
        <bdi dir="ltr" className="block w-fit font-semibold break-words">
          {sent?.address}
        </bdi>
      </p>
      <p className="text-ink-600">{t('code.maybeKnown')}</p>
      <CodeField
        value={values.code}
        onChange={(code) => change({ code })}
        error={messages.of('code')}
        sentAt={sent?.at ?? 0}
        onResend={state.resend}
        isResending={state.isResending}
      />
      <div>
        <Button variant="quiet" size="sm" onPress={() => state.open('contact')}>
          {t('code.changeAddress')}
        </Button>
      </div>
    </>
  );
}
