import { Search } from 'lucide-react';
import { useState, useEffect, useRef } from 'react';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';

export function InquiryForm({
  initialKeyword,
  isBusy,
  onSubmit,
}: {
  initialKeyword: string;
  isBusy: boolean;
  onSubmit: (keyword: string) => void;
}) {
  const { t } = useTranslation('requests');
  const [keyword, setKeyword] = useState(initialKeyword);
  const [hasTried, setHasTried] = useState(false);
  const isEmpty = keyword.trim() === '';
  const submit = () => {
    setHasTried(true);
    if (isEmpty) focusOn('SearchKeyword');
    else if (!isBusy) onSubmit(keyword.trim());
  };
  return (
    <form
      role="search"
      aria-label={t('inquiry.title')}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        name="SearchKeyword"
        label={t('inquiry.field')}
        description={t('inquiry.hint')}
        dir="ltr"
        width="medium"
        maxLength={60}
        autoComplete="off"
        value={keyword}
        onChange={setKeyword}
        error={hasTried && isEmpty ? t('inquiry.empty') : undefined}
      />
      <div>
        <Button type="submit" size="lg" icon={<Search aria-hidden size={20} />} isPending={isBusy}>
          {t('inquiry.submit')}
        </Button>
      </div>
    </form>
  );
}

interface InquiryCodeFormProps {
  mobile: string;
  isBusy: boolean;
  error: string | undefined;
  onSubmit: (code: string) => void;
  onCancel: () => void;
}

/**
 * The form for the code that was sent to the mobile number. It takes the focus, because it replaces
 * the form that the user has submitted.
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
  const normalizedCode = toLatinDigits(code).replace(/\s/g, '');
  const submit = () => {
    setHasTried(true);
    if (normalizedCode === '') field.current?.focus();
    else if (!isBusy) onSubmit(normalizedCode);
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
        error={hasTried && normalizedCode === '' ? t('inquiry.codeEmpty') : error}
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
