import { useTranslation } from 'react-i18next';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { CodeField } from '../sign-in/code-field.tsx';
import { NewPasswordFields } from '../sign-in/new-password-fields.tsx';
import type { RegisterState } from './register-state.ts';

/** How a person is reached, and which of the two proves it. */
export function RegisterContact({ state: { values, messages, change } }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  return (
    <>
      <TextField
        name="email"
        label={t('register.email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        dir="ltr"
        maxLength={254}
        value={values.email}
        onChange={(email) => change({ email })}
        error={messages.of('email')}
      />
      <TextField
        name="phoneNumber"
        label={t('register.phoneNumber')}
        description={t('register.phoneHint')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        dir="ltr"
        width="medium"
        maxLength={30}
        value={values.phoneNumber}
        onChange={(phoneNumber) => change({ phoneNumber })}
        error={messages.of('phoneNumber')}
      />
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

export function RegisterSignIn({ state: { values, messages, change } }: { state: RegisterState }) {
  const { t } = useTranslation('accounts');
  return (
    <>
      <TextField
        name="username"
        focusIds={['UsernameTaken']}
        label={t('register.username')}
        description={t('register.usernameHint')}
        autoComplete="username"
        dir="ltr"
        width="medium"
        maxLength={60}
        value={values.username}
        onChange={(username) => change({ username })}
        error={messages.of('username')}
      />
      <NewPasswordFields
        password={values.password}
        confirm={values.confirmPassword}
        ownWords={[values.username, ...values.fullName.split(/\s+/)]}
        names={{ password: 'password', confirm: 'confirmPassword' }}
        labels={{ password: t('register.password'), confirm: t('register.confirmPassword') }}
        errorOf={messages.of}
        onChange={({ password, confirm }) =>
          password === undefined ? change({ confirmPassword: confirm ?? '' }) : change({ password })
        }
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
