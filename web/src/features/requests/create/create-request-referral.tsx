import { ChevronDown } from 'lucide-react';
import { useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { checkReferralCodeValidity } from '@diwan/contract/requests/referral-codes';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';

/** As long as the call takes it. */
const longest = 40;

export interface Referral {
  code: string;
  change: (code: string) => void;
  check: () => void;
  /** The server knows that it cannot be used. Where it could not be asked, sending tells. */
  isWrong: boolean;
  /** Whose it is. */
  name: string | undefined;
}

/**
 * A code that is asked about once its box is left. `refused` is one that was refused when it was
 * sent.
 */
export function useReferral(
  code: string,
  change: (code: string) => void,
  refused: string | undefined,
): Referral {
  const [asked, setAsked] = useState(code.trim());
  const typed = code.trim();
  const { data } = useCall(checkReferralCodeValidity, {
    query: { refferalCode: asked },
    enabled: asked !== '',
    staleTime: 60_000,
    skipErrorHandling: true,
  });
  const answer = asked === typed && typed !== '' ? data : undefined;
  return {
    code,
    check: () => setAsked(typed),
    // A line break or NUL that came with what was pasted is no letter of a code.
    change: (next) => change(next.replaceAll(/\p{Cc}/gu, '')),
    isWrong: (typed !== '' && typed === refused) || answer?.isValid === false,
    name: answer?.name,
  };
}

/** Folded, because most people have none. */
export function ReferralBox({
  referral: { code, change, check, isWrong, name },
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
    // The button goes; keys go on from the box.
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
            error={isWrong ? t('refusals.ReferralCodeNotValid', { ns: 'errors' }) : undefined}
          />
        </div>
        <p role="status" className="text-sm font-medium text-green-800 empty:hidden">
          {name === undefined || isWrong
            ? null
            : t('referral.valid', { name: `\u2068${name}\u2069` })}
        </p>
        {isWrong ? (
          <Button variant="quiet" size="sm" isDisabled={isDisabled} onPress={leaveOut}>
            {t('referral.leaveOut')}
          </Button>
        ) : null}
      </div>
    </details>
  );
}
