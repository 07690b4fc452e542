import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toLatinDigits } from '../../../lib/i18n/digits.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';

interface InquiryCodeFormProps {
  mobile: string;
  isBusy: boolean;
  error: string | undefined;
  onSubmit: (code: string) => void;
  onCancel: () => void;
}

/**
 * The code that was sent to the mobile number. Takes the focus, for it replaces what the person was
 * using.
 */
export function InquiryCodeForm({
  mobile,
  isBusy,
  error,
  onSubmit,
  onCancel,
}: InquiryCodeFormProps) {
  const { t } = useTranslation('requests');
  const [code, setCode] = useState('');
  const [hasTried, setHasTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isBusy) field.current?.focus();
  }, [isBusy]);
  const cleaned = toLatinDigits(code).replace(/\s/g, '');
  const submit = () => {
    setHasTried(true);
    if (cleaned === '') field.current?.focus();
    else if (!isBusy) onSubmit(cleaned);
  };
  return (
    <form
      noValidate
      aria-labelledby="inquiry-code"
      className="flex animate-rise flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div>
        <h2 id="inquiry-code" className="text-lg">
          {t('inquiry.codeTitle')}
        </h2>
        <p className="mt-1 text-ink-600">
          {t('inquiry.codeText')} <Reference>{mobile}</Reference>
        </p>
      </div>
      <TextField
        ref={field}
        name="VerificationCode"
        label={t('inquiry.code')}
        description={t('inquiry.codeHint')}
        dir="ltr"
        width="short"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        onChange={setCode}
        error={hasTried && cleaned === '' ? t('inquiry.codeEmpty') : error}
        focusIds={['VerificationCodeWrong', 'VerificationCodeRequired']}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="lg" isPending={isBusy}>
          {t('inquiry.codeSubmit')}
        </Button>
        <Button variant="quiet" size="lg" isDisabled={isBusy} onPress={onCancel}>
          {t('inquiry.otherNumber')}
        </Button>
      </div>
    </form>
  );
}
