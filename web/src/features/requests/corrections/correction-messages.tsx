import { RotateCw } from 'lucide-react';
import type { RefObject } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import type { RequestForUpdate } from '@diwan/contract/requests/requests';
import { StaffMessage } from '../record/staff-message.tsx';

/**
 * What is to be corrected, with the reasons and the message of the return. The marks are shown
 * beside the marked items.
 */
export function CorrectionIntroduction({
  record,
  heading,
  text,
}: {
  record: RequestForUpdate;
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Instead of what the whole form says. */
  text?: string;
}) {
  const { t } = useTranslation(['requests', 'returns']);
  const marks = record.openMarks.length;
  const entry = record.history.findLast((each) => each.action === 'return');
  return (
    <>
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
          {marks > 0 ? t('returns:correct.title', { count: marks }) : t('correct.title')}
        </h2>
        <p className="mt-2 text-ink-600">
          {text ?? t(marks > 0 ? 'returns:correct.text' : 'correct.text')}
        </p>
      </div>
      {entry && (entry.reasons.length > 0 || entry.message !== '') ? (
        <StaffMessage entry={{ ...entry, marks: [] }} title={t('record.whyReturned')} />
      ) : null}
    </>
  );
}

/** An error of the submission that is not about fields; those are shown beside the fields. */
export function SubmitError({ error }: { error: ApiError | null }) {
  const { t } = useTranslation('requests');
  if (!error || error.name === 'ValidationFailed') return null;
  return <ErrorAlert error={error} title={t('faster.failed')} />;
}

/**
 * Says that the request has changed. The typed text stays visible until the user leaves the form.
 * It is not applied to the changed request, which may ask for something else.
 */
export function OutdatedAlert({ error, onLeave }: { error: ApiError | null; onLeave: () => void }) {
  const { t } = useTranslation(['requests', 'returns']);
  return (
    <Alert
      tone="warning"
      isLive
      title={t('faster.ownTitle')}
      action={
        <Button
          variant="secondary"
          size="sm"
          icon={<RotateCw aria-hidden size={18} />}
          onPress={onLeave}
        >
          {t('faster.reload')}
        </Button>
      }
    >
      <span>{error ? messageOf(error) : null}</span> {t('returns:correct.over')}
    </Alert>
  );
}
