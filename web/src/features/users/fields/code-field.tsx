import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { codeGapSeconds } from '@diwan/contract/people/accounts';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';

/** Extracts six digits from typed or pasted text, in any digit set and with separators. */
export const normalizeCode = (text: string): string =>
  toLatinDigits(text).replace(/\D/g, '').slice(0, 6);

/** The seconds until another code may be requested; the last one was sent at `sentAt`. */
function useSecondsLeft(sentAt: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.min(
    codeGapSeconds,
    Math.max(0, Math.ceil((sentAt - now) / 1000) + codeGapSeconds),
  );
  const isWaiting = left > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return left;
}

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  error?: string | undefined;
  sentAt: number;
  onResend: () => void;
  isResending: boolean;
}

/** A field for a one-time code with a button to resend it. Phones can fill it in. */
export function CodeField({
  value,
  onChange,
  error,
  sentAt,
  onResend,
  isResending,
}: CodeFieldProps) {
  const { t } = useTranslation('accounts');
  const left = useSecondsLeft(sentAt);
  return (
    <div className="flex flex-col items-start gap-2">
      <TextField
        name="code"
        focusIds={['VerificationCodeWrong']}
        label={t('code.label')}
        description={t('code.hint')}
        error={error}
        value={value}
        onChange={(text) => onChange(normalizeCode(text))}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        width="short"
      />
      <Button
        variant="quiet"
        size="sm"
        isDisabled={left > 0}
        isPending={isResending}
        pendingLabel={t('code.sending')}
        onPress={onResend}
      >
        {left > 0 ? t('code.resendIn', { count: left }) : t('code.resend')}
      </Button>
    </div>
  );
}
