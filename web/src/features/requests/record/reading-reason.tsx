import { useEffect, useEffectEvent, useState } from 'react';
import { useAction } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLocation, useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import {
  giveReasonForReading,
  readReasonLength,
  readReasons,
  type ReadReason,
} from '@diwan/contract/staff/access-log';
import { isSameNumber, readDetailsLink } from '../data/details-link.ts';

// A number that somebody typed is recorded by itself.
const offered = readReasons.filter((reason) => reason !== 'number');

/** Keeps a number on one line of a title. */
const unbroken = (number: string) => `\u2068${number.replaceAll('-', '-\u2060')}\u2069`;

interface ReadingReasonProps {
  requestId: number;
  requestNumber: string;
  list: string;
  onGiven: () => Promise<unknown>;
}

/** Asks staff why they open a request that is not their work, before anything of it is shown. */
function ReadingReason({ requestId, requestNumber, list, onGiven }: ReadingReasonProps) {
  const { t } = useTranslation(['requests', 'acting']);
  const [reason, setReason] = useState('');
  const [reasonText, setReasonText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const action = useAction(giveReasonForReading, { skipErrorHandling: true, onSuccess: onGiven });
  const needsWords = reason === 'other' && reasonText.trim().length < readReasonLength.minimum;
  const submit = () => {
    setIsTried(true);
    if (reason === '' || needsWords) return;
    action.mutate({ body: { requestId, reason: reason as ReadReason, reasonText } });
  };
  return (
    <div className="page pb-16">
      <PageHeader title={t('acting:reason.title', { number: unbroken(requestNumber) })} />
      <div className="max-w-2xl">
        <Card>
          <form
            noValidate
            className="flex flex-col gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <ErrorAlert error={action.error} />
            <RadioGroup
              label={t('acting:reason.question')}
              description={t('acting:reason.lead')}
              name="reason"
              value={reason}
              onChange={setReason}
              error={isTried && reason === '' ? t('acting:reason.required') : undefined}
              choices={offered.map((value) => ({ value, label: t(`acting:reasons.${value}`) }))}
            />
            <TextAreaField
              name="reasonText"
              label={t(reason === 'other' ? 'acting:reason.words' : 'acting:reason.more')}
              description={t('acting:reason.hint')}
              isOptional={reason !== 'other'}
              rows={2}
              maxLength={readReasonLength.maximum}
              value={reasonText}
              onChange={setReasonText}
              error={
                isTried && needsWords
                  ? t('acting:reason.short', { count: readReasonLength.minimum })
                  : undefined
              }
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" isPending={action.isPending}>
                {t('acting:reason.open')}
              </Button>
              <LinkButton variant="quiet" to={list}>
                {t('record.toList')}
              </LinkButton>
            </div>
          </form>
        </Card>
      </div>
    </div>
  );
}

/** Records that a request was found by the number that somebody typed, and opens it. */
function NumberAsReason({ requestId, requestNumber, onGiven }: Omit<ReadingReasonProps, 'list'>) {
  const action = useAction(giveReasonForReading, { onSuccess: onGiven });
  const give = useEffectEvent(() =>
    action.mutate({ body: { requestId, reason: 'number', requestNumber } }),
  );
  useEffect(() => give(), []);
  return null;
}

/** A request that staff may open with a reason only: its number if they searched for it, or another. */
export function UnreadRequest(props: Omit<ReadingReasonProps, 'requestNumber'>) {
  const { state } = useLocation();
  const [search] = useSearchParams();
  const { requestNumber = '', typed = '' } = readDetailsLink(state, search);
  return isSameNumber(typed, requestNumber) ? (
    <NumberAsReason {...props} requestNumber={requestNumber} />
  ) : (
    <ReadingReason {...props} requestNumber={requestNumber} />
  );
}
