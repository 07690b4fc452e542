import { useState } from 'react';
import { useForm } from 'react-hook-form';
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

/**
 * Changes the e-mail address or mobile number with a code that is sent to the new one. `current` is
 * the unverified value, if any.
 */
export function ContactDialog({
  channel,
  current,
  onClose,
}: {
  channel: Channel;
  current: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('accounts');
  const { t: errors } = useTranslation('errors');
  const form = useForm({
    defaultValues: { address: current, code: '', password: '' },
    reValidateMode: 'onSubmit',
  });
  const [sent, setSent] = useState<{ address: string; at: number }>();
  const ask = useAction(sendVerificationCode, { skipErrorHandling: true });
  const change = useAction(changeContact, { skipErrorHandling: true });
  const isPending = change.isPending || (ask.isPending && sent === undefined);
  const error = change.error ?? ask.error;
  const onError = (refusal: ApiError) => {
    if (fieldOf[refusal.name] || Object.keys(refusal.fieldErrors).length > 0) return;
    handleError(Object.assign(refusal, { skipErrorHandling: false }));
  };
  const sendCode = (address: string) =>
    ask.mutate(
      { body: { channel, address, purpose: 'contact' } },
      { onSuccess: () => setSent({ address, at: Date.now() }), onError },
    );
  const validateAddress = (typed: string) => {
    if (typed.trim() === '') return errors('validation.required');
    if (findContactAddress(channel, typed) !== undefined) return undefined;
    return errors(channel === 'email' ? 'validation.email' : 'validation.mobile');
  };
  const validateCode = (code: string) => {
    if (code === '') return errors('validation.required');
    return normalizeCode(code).length < 6
      ? errors('validation.tooShort', { minimum: 6 })
      : undefined;
  };
  const submit = ({ address, code, password }: { [Name in FieldName]: string }) => {
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
  };
  return (
    <FormDialog
      form={form}
      title={t(`contact.title.${channel}`)}
      submitLabel={t(sent ? 'contact.submit' : 'register.sendCode')}
      pendingLabel={t('register.pending')}
      cancelLabel={t(sent ? 'code.changeAddress' : 'contact.cancel')}
      cancelVariant="secondary"
      isPending={isPending}
      error={error}
      fieldOfError={({ name }) => fieldOf[name]}
      errorPosition="none"
      clearsErrorsOnChange
      onResetError={() => {
        ask.reset();
        change.reset();
      }}
      onSubmit={submit}
      onCancel={sent ? () => setSent(undefined) : onClose}
      onClose={onClose}
    >
      {sent ? (
        <>
          <p role="status">
            {t('code.sentTo')}{' '}
            <bdi dir="ltr" className="block w-fit font-semibold break-words">
              {sent.address}
            </bdi>
          </p>
          <FormField control={form.control} name="code" validate={validateCode}>
            {({ value, onChange, error: message }) => (
              <CodeField
                value={value}
                onChange={onChange}
                error={message}
                sentAt={sent.at}
                onResend={() => sendCode(sent.address)}
                isResending={ask.isPending}
              />
            )}
          </FormField>
          <FormField
            control={form.control}
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
      ) : (
        <FormField control={form.control} name="address" validate={validateAddress}>
          {(field) => (
            <TextField
              {...field}
              label={t(channel === 'email' ? 'register.email' : 'register.phoneNumber')}
              description={t(`contact.lead.${channel}`)}
              type={channel === 'email' ? 'email' : 'tel'}
              autoComplete={channel === 'email' ? 'email' : 'tel'}
              dir="ltr"
              maxLength={254}
            />
          )}
        </FormField>
      )}
    </FormDialog>
  );
}
