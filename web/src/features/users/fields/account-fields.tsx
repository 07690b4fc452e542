import { useTranslation } from '#lib/i18n/translate.ts';
import { TextField } from '#ui/forms/text-field.tsx';
import type { FieldMessages } from './field-messages.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

interface Values {
  fullName: string;
  email: string;
  phoneNumber: string;
  username: string;
  password: string;
  confirmPassword: string;
}

/** A form that makes an account; further values are its own. */
interface AccountForm {
  values: Values;
  messages: Pick<FieldMessages, 'of'>;
  change: (changed: Partial<Values>) => void;
}

/** The mobile number. */
export function PhoneField({ state: { values, messages, change } }: { state: AccountForm }) {
  const { t } = useTranslation('accounts');
  return (
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
  );
}

/** How the person is reached. */
export function ContactFields({ state: { values, messages, change } }: { state: AccountForm }) {
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
      <PhoneField state={{ values, messages, change }} />
    </>
  );
}

/** Username and new password. */
export function SignInFields({ state: { values, messages, change } }: { state: AccountForm }) {
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
        personalNames={[values.username, ...values.fullName.split(/\s+/)]}
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
