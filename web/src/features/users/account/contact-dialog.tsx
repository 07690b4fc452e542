import { useState } from 'react';
import { useForm, type Control } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { handleError } from '#lib/api/handle-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { changeContact, sendVerificationCode } from '@diwan/contract/people/accounts';
import { findContactAddress } from '@diwan/contract/people/new-account';
import { getProfile } from '@diwan/contract/people/users';
import type { Channel } from '@diwan/contract/wire/channels';
import { CodeField, normalizeCode } from '../fields/code-field.tsx';

type FieldName = 'address' | 'code' | 'password';

/** Refusals that are shown at a field. */
const fieldOf: Partial<Record<ApiError['name'], FieldName>> = {
  VerificationCodeWrong: 'code',
  IncorrectPassword: 'password',
};

interface ContactDialogProps {
  channel: Channel;
  current: string;
  onClose: () => void;
}

type Contact = { [Name in FieldName]: string };

/** Sends a code to the new address, and changes the address with it. */
function useContactChange({ channel, onClose }: Omit<ContactDialogProps, 'current'>) {
  const { t } = useTranslation('accounts');
  const [sent, setSent] = useState<{ address: string; at: number }>();
  const ask = useAction(sendVerificationCode, { skipErrorHandling: true });
  const change = useAction(changeContact, { skipErrorHandling: true });
  const onError = (refusal: ApiError) => {
    if (fieldOf[refusal.name] || Object.keys(refusal.fieldErrors).length > 0) return;
    handleError(Object.assign(refusal, { skipErrorHandling: false }));
  };
  const sendCode = (address: string) =>
    ask.mutate(
      { body: { channel, address, purpose: 'contact' } },
      { onSuccess: () => setSent({ address, at: Date.now() }), onError },
    );
  return {
    sent,
    error: change.error ?? ask.error,
    isPending: change.isPending || (ask.isPending && sent === undefined),
    isAsking: ask.isPending,
    sendCode,
    changeAddress: () => setSent(undefined),
    resetErrors: () => {
      ask.reset();
      change.reset();
    },
    submit: ({ address, code, password }: Contact) => {
      if (!sent) return sendCode(findContactAddress(channel, address) ?? address);
      change.mutate(
        { body: { channel, address: sent.address, code, password } },
        {
          onSuccess: () => {
            void queryClient.invalidateQueries({ queryKey: [getProfile.name] });
            showToast(t(`contact.done.${channel}`), 'success');
            onClose();
          },
          onError,
        },
      );
    },
  };
}

function AddressField({ control, channel }: { control: Control<Contact>; channel: Channel }) {
  const { t } = useTranslation('accounts');
  const { t: errors } = useTranslation('errors');
  const isEmail = channel === 'email';
  const validate = (typed: string) => {
    if (typed.trim() === '') return errors('validation.required');
    if (findContactAddress(channel, typed) !== undefined) return undefined;
    return errors(isEmail ? 'validation.email' : 'validation.mobile');
  };
  return (
    <FormField control={control} name="address" validate={validate}>
      {(field) => (
        <TextField
          {...field}
          label={t(isEmail ? 'register.email' : 'register.phoneNumber')}
          description={t(`contact.lead.${channel}`)}
          type={isEmail ? 'email' : 'tel'}
          autoComplete={isEmail ? 'email' : 'tel'}
          dir="ltr"
          maxLength={254}
        />
      )}
    </FormField>
  );
}

/** The code that was sent to the new address, and the password. */
function ProofFields({
  control,
  sent,
  onResend,
  isResending,
}: {
  control: Control<Contact>;
  sent: { address: string; at: number };
  onResend: () => void;
  isResending: boolean;
}) {
  const { t } = useTranslation('accounts');
  const { t: errors } = useTranslation('errors');
  const validateCode = (code: string) => {
    if (code === '') return errors('validation.required');
    return normalizeCode(code).length < 6
      ? errors('validation.tooShort', { minimum: 6 })
      : undefined;
  };
  return (
    <>
      <p role="status">
        {t('code.sentTo')}{' '}
        <bdi dir="ltr" className="block w-fit font-semibold break-words">
          {sent.address}
        </bdi>
      </p>
      <FormField control={control} name="code" validate={validateCode}>
        {({ value, onChange, error }) => (
          <CodeField
            value={value}
            onChange={onChange}
            error={error}
            sentAt={sent.at}
            onResend={onResend}
            isResending={isResending}
          />
        )}
      </FormField>
      <FormField
        control={control}
        name="password"
        validate={(value) => (value === '' ? errors('validation.required') : undefined)}
      >
        {(field) => (
          <PasswordField
            {...field}
            focusIds={['IncorrectPassword']}
            label={t('contact.password')}
            description={t('contact.passwordWhy')}
            autoComplete="current-password"
          />
        )}
      </FormField>
    </>
  );
}

/**
 * Changes the e-mail address or mobile number with a code that is sent to the new one. `current` is
 * the unverified value, if any.
 */
export function ContactDialog({ channel, current, onClose }: ContactDialogProps) {
  const { t } = useTranslation('accounts');
  const form = useForm<Contact>({
    defaultValues: { address: current, code: '', password: '' },
    reValidateMode: 'onSubmit',
  });
  const { sent, ...contact } = useContactChange({ channel, onClose });
  return (
    <FormDialog
      form={form}
      title={t(`contact.title.${channel}`)}
      submitLabel={t(sent ? 'contact.submit' : 'register.sendCode')}
      pendingLabel={t('register.pending')}
      cancelLabel={t(sent ? 'code.changeAddress' : 'contact.cancel')}
      cancelVariant="secondary"
      isPending={contact.isPending}
      error={contact.error}
      fieldOfError={({ name }) => fieldOf[name]}
      errorPosition="none"
      clearsErrorsOnChange
      onResetError={contact.resetErrors}
      onSubmit={contact.submit}
      onCancel={sent ? contact.changeAddress : onClose}
      onClose={onClose}
    >
      {sent ? (
        <ProofFields
          control={form.control}
          sent={sent}
          onResend={() => contact.sendCode(sent.address)}
          isResending={contact.isAsking}
        />
      ) : (
        <AddressField control={form.control} channel={channel} />
      )}
    </FormDialog>
  );
}
