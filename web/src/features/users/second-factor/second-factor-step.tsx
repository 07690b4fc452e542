import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';

interface SecondFactorStepProps {
  /** What became of the last code; nothing before the first. */
  error: SendError | null;
  isPending: boolean;
  onCode: (code: string) => void;
  /** Somebody types again: what was said of the last code no longer holds. */
  onChange: () => void;
  onBack: () => void;
}

/**
 * The second step of a sign-in: one field for the code of the app, or for a recovery code. Stands
 * inside the form of the first.
 */
export function SecondFactorStep({
  error,
  isPending,
  onCode,
  onChange,
  onBack,
}: SecondFactorStepProps) {
  const { t } = useTranslation('users');
  const [code, setCode] = useState('');
  const [isRecovery, setIsRecovery] = useState(false);
  const [isBlank, setIsBlank] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The person has just pressed the button above; the next thing to do is here.
  useEffect(() => field.current?.focus(), []);
  const isWrong = error?.name === 'SecondFactorWrong';
  const change = (value: string) => {
    setCode(value);
    setIsBlank(false);
    if (error) onChange();
  };
  const send = () => {
    if (code.trim() === '') setIsBlank(true);
    else if (!isPending) onCode(code);
    field.current?.focus();
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div>
        <h2 className="text-lg">{t('login.codeTitle')}</h2>
        {isRecovery ? null : <p className="mt-1 text-ink-600">{t('login.codeLead')}</p>}
      </div>
      {error && !isWrong ? (
        <Notice tone="danger" isLive>
          {messageOf(error)}
        </Notice>
      ) : null}
      <TextField
        ref={field}
        name="code"
        label={t(isRecovery ? 'login.recoveryCode' : 'login.code')}
        description={t(isRecovery ? 'login.recoveryHint' : 'login.codeHint')}
        value={code}
        onChange={change}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        maxLength={40}
        width="medium"
        focusIds={['SecondFactorWrong']}
        error={isBlank ? t('login.codeRequired') : isWrong ? messageOf(error) : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending} pendingLabel={t('login.pending')}>
          {t('login.submit')}
        </Button>
        <Button variant="secondary" isDisabled={isPending} onPress={onBack}>
          {t('login.back')}
        </Button>
      </div>
      <div>
        <button
          type="button"
          className="link min-h-11"
          onClick={() => {
            setIsRecovery(!isRecovery);
            change('');
            field.current?.focus();
          }}
        >
          {t(isRecovery ? 'login.useApp' : 'login.useRecovery')}
        </button>
        <p className="mt-2 text-sm text-ink-600">{t('login.noCode')}</p>
      </div>
    </form>
  );
}
