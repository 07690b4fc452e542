import { ChevronDown } from 'lucide-react';
import { useState, type Ref } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { checkReferralCodeValidity } from '@diwan/contract/payments/referral-codes';

/** The maximum length of the call. */
const longest = 40;

interface Referral {
  code: string;
  change: (code: string) => void;
  check: () => void;
  /** The server reports the code as invalid. If it is unreachable, sending reports it. */
  isInvalid: boolean;
  /** The owner of the code. */
  name: string | undefined;
}

/**
 * A referral code that is checked when its field loses the focus. `refused` is a code that was
 * refused on submission.
 */
export function useReferral(
  code: string,
  change: (code: string) => void,
  refused: string | undefined,
): Referral {
  const [checkedCode, setCheckedCode] = useState(code.trim());
  const typed = code.trim();
  const { data } = useCall(checkReferralCodeValidity, {
    query: { refferalCode: checkedCode },
    enabled: checkedCode !== '',
    staleTime: 60_000,
    skipErrorHandling: true,
  });
  const answer = checkedCode === typed && typed !== '' ? data : undefined;
  return {
    code,
    check: () => setCheckedCode(typed),
    // Removes control characters from pasted text.
    change: (next) => change(next.replaceAll(/\p{Cc}/gu, '')),
    isInvalid: (typed !== '' && typed === refused) || answer?.isValid === false,
    name: answer?.name,
  };
}

/** Collapsed, because most users have no code. */
export function ReferralBox({
  referral: { code, change, check, isInvalid, name },
  isDisabled,
  ref,
}: {
  referral: Referral;
  isDisabled: boolean;
  ref: Ref<HTMLDetailsElement>;
}) {
  const { t } = useTranslation(['forms', 'errors']);
  const [isOpenAtFirst] = useState(code !== '');
  const leaveOut = () => {
    change('');
    // The button disappears, so the focus moves to the field.
    focusOn('referralCode');
  };
  return (
    <details ref={ref} open={isOpenAtFirst} className="group">
      <summary className="link inline-flex min-h-11 w-fit cursor-pointer items-center gap-2 font-medium">
        {t('referral.open')}
        <ChevronDown aria-hidden size={18} className="shrink-0 group-open:rotate-180" />
      </summary>
      <div className="flex flex-col items-start gap-2 pt-2">
        <div className="w-full">
          <TextField
            name="referralCode"
            focusIds={['ReferralCodeNotValid']}
            label={t('referral.code')}
            description={t('referral.hint')}
            isOptional
            isDisabled={isDisabled}
            width="medium"
            dir="ltr"
            autoComplete="off"
            maxLength={longest}
            value={code}
            onChange={change}
            onBlur={check}
            error={isInvalid ? t('refusals.ReferralCodeNotValid', { ns: 'errors' }) : undefined}
          />
        </div>
        <p role="status" className="text-sm font-medium text-green-800 empty:hidden">
          {name === undefined || isInvalid
            ? null
            : t('referral.valid', { name: `\u2068${name}\u2069` })}
        </p>
        {isInvalid ? (
          <Button variant="quiet" size="sm" isDisabled={isDisabled} onPress={leaveOut}>
            {t('referral.leaveOut')}
          </Button>
        ) : null}
      </div>
    </details>
  );
}
