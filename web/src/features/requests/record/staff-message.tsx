import { useTranslation } from '#lib/i18n/translate.ts';
import { TypedText } from '#ui/values/typed-text.tsx';
import type { HistoryEntry } from '@diwan/contract/requests/requests';
import { markKey } from '@diwan/contract/requests/return-marks';

/** The applicant writes the text of these steps; that of others is from the agency. */
const ownTexts = {
  askToWithdraw: 'record.whyWithdrawn',
  object: 'record.whyObjected',
} as const;

const titleOf = ({ action, marks, reasons }: HistoryEntry) =>
  action in ownTexts
    ? ownTexts[action as keyof typeof ownTexts]
    : marks.length > 0
      ? 'record.whyReturned'
      : reasons.length > 0
        ? 'story.reasons'
        : 'record.message';

/**
 * The reasons, marks and message of one history entry. Typed text keeps its line breaks and its
 * direction.
 */
export function StaffMessage({ entry, title }: { entry: HistoryEntry; title?: string }) {
  const { t } = useTranslation('requests');
  return (
    <div className="border-s-4 border-gold-500 bg-white px-4 py-3">
      <p className="font-semibold">{title ?? t(titleOf(entry))}</p>
      {entry.reasons.length > 0 ? (
        <ul className="list-disc ps-5">
          {entry.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      {entry.marks.length > 0 ? (
        <ul className="flex flex-col gap-1">
          {entry.marks.map((mark) => (
            <li key={markKey(mark)} className="wrap-anywhere">
              <span className="text-ink-600">
                <span>{mark.title}</span>:
              </span>{' '}
              <bdi className="whitespace-pre-line">{mark.message}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      {entry.message ? <TypedText className="mt-1">{entry.message}</TypedText> : null}
    </div>
  );
}
