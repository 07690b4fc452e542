import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeContact, sendVerificationCode, type Channel } from '@diwan/contract/people/accounts';
import { readAddress } from '@diwan/contract/people/new-account';
import { getProfile } from '@diwan/contract/people/users';
import { handleError, messageOf } from '../../../lib/api/handle-error.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { CodeField, codeOf } from '../sign-in/code-field.tsx';
import { useFieldMessages } from '../sign-in/field-messages.ts';

/**
 * Another e-mail address or mobile number, by the code that comes to it. `now` is the one that is
 * there, for who has to prove it.
 */
export function ContactDialog({
  channel,
  now,
  onClose,
}: {
  channel: Channel;
  now: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('accounts');
  const form = useId();
  const messages = useFieldMessages();
  const [typed, setTyped] = useState(now);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState<{ address: string; at: number }>();
  const ask = useAction(sendVerificationCode, { skipErrorHandling: true });
  const change = useAction(changeContact, { skipErrorHandling: true });
  const isPending = change.isPending || (ask.isPending && sent === undefined);

  const refuse = (error: SendError) => {
    const field =
      error.name === 'VerificationCodeWrong'
        ? 'code'
        : error.name === 'IncorrectPassword'
          ? 'password'
          : undefined;
    const said = field ? { [field]: [messageOf(error)] } : error.fieldErrors;
    if (Object.keys(said).length > 0) messages.show([], said);
    else handleError(Object.assign(error, { skipErrorHandling: false }));
  };
  const send = () => {
    const address = readAddress(channel, typed);
    if (address === undefined)
      return messages.show([
        {
          field: 'address',
          code: typed.trim() === '' ? 'required' : channel === 'email' ? 'email' : 'mobile',
        },
      ]);
    ask.mutate(
      { body: { channel, address, purpose: 'contact' } },
      {
        onSuccess: () => {
          setSent({ address, at: Date.now() });
          messages.show([]);
        },
        onError: refuse,
      },
    );
  };
  const finish = (address: string) => {
    if (codeOf(code).length < 6)
      return messages.show([
        { field: 'code', code: code === '' ? 'required' : 'tooShort', params: { minimum: 6 } },
      ]);
    if (password === '') return messages.show([{ field: 'password', code: 'required' }]);
    change.mutate(
      { body: { channel, address, code, password } },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries({ queryKey: [getProfile.name] });
          showToast(t(`contact.done.${channel}`), 'success');
          onClose();
        },
        onError: refuse,
      },
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(`contact.title.${channel}`)}
      isBusy={isPending}
      actions={
        <>
          <Button
            type="submit"
            form={form}
            isPending={isPending}
            pendingLabel={t('register.pending')}
          >
            {t(sent ? 'contact.submit' : 'register.sendCode')}
          </Button>
          <Button
            variant="secondary"
            isDisabled={isPending}
            onPress={sent ? () => setSent(undefined) : onClose}
          >
            {t(sent ? 'code.changeAddress' : 'contact.cancel')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (sent) finish(sent.address);
          else send();
        }}
      >
        {sent ? (
          <>
            <p role="status">
              {t('code.sentTo')}{' '}
              <bdi dir="ltr" className="block w-fit font-semibold break-words">
                {sent.address}
              </bdi>
            </p>
            <CodeField
              value={code}
              onChange={(value) => {
                setCode(value);
                messages.forget('code');
              }}
              error={messages.of('code')}
              sentAt={sent.at}
              onResend={send}
              isResending={ask.isPending}
            />
            <PasswordField
              name="password"
              focusIds={['IncorrectPassword']}
              label={t('contact.password')}
              description={t('contact.passwordWhy')}
              autoComplete="current-password"
              value={password}
              onChange={(value) => {
                setPassword(value);
                messages.forget('password');
              }}
              error={messages.of('password')}
            />
          </>
        ) : (
          <TextField
            name="address"
            label={t(channel === 'email' ? 'register.email' : 'register.phoneNumber')}
            description={t(`contact.lead.${channel}`)}
            type={channel === 'email' ? 'email' : 'tel'}
            autoComplete={channel === 'email' ? 'email' : 'tel'}
            dir="ltr"
            maxLength={254}
            value={typed}
            onChange={(value) => {
              setTyped(value);
              messages.forget('address');
            }}
            error={messages.of('address')}
          />
        )}
      </form>
    </Dialog>
  );
}
