import { CreditCard, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryEntry, RequestRecord } from '@diwan/contract/requests/requests';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { createPayment } from '@diwan/contract/requests/payments';
import { useFormat } from '../../../lib/i18n/format.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DueLines } from './due-lines.tsx';
import { useBegunMend } from '../mending/mend-start.ts';
import { PromisedDay } from './promised-day.tsx';
import { StaffWords } from '../staff/staff-words.tsx';

const looks: Record<StatusTone, string> = {
  waiting: 'border-amber-300 bg-amber-50',
  progress: 'border-blue-200 bg-blue-50',
  done: 'border-green-200 bg-green-50',
  refused: 'border-red-200 bg-red-50',
};

/** The last word of staff counts only while the request is still where that word put it. */
export function lastWord(record: RequestRecord): HistoryEntry | undefined {
  const entry = record.history.at(-1);
  return entry &&
    entry.statusId === record.statusId &&
    (entry.reasons.length > 0 || entry.message !== '' || entry.marks.length > 0)
    ? entry
    : undefined;
}

/** What happens now, and the one thing that is expected of the person. */
export function RequestNow({ record, onMend }: { record: RequestRecord; onMend: () => void }) {
  const { t } = useTranslation('requests');
  const { money, relative } = useFormat();
  const mend = useBegunMend(record);
  const [isLeaving, setIsLeaving] = useState(false);
  const pay = useAction(createPayment, {
    skipErrorHandling: true,
    onSuccess: ({ paymentUrl }) => {
      setIsLeaving(true);
      window.location.assign(paymentUrl);
    },
  });
  const word = lastWord(record);
  const can = (action: RequestRecord['allowedActions'][number]) =>
    record.allowedActions.includes(action);
  return (
    <section
      data-surface
      aria-labelledby="request-now"
      className={`flex flex-col gap-4 rounded-lg border p-4 md:p-6 ${looks[record.statusTone]}`}
    >
      <div>
        <h2 id="request-now" className="text-lg">
          {t('record.now')}
        </h2>
        <p className="mt-1 max-w-form">{record.statusDescription}</p>
      </div>
      <PromisedDay request={record} />
      {word ? (
        <StaffWords
          entry={word}
          title={t(
            record.statusTone === 'refused'
              ? 'record.whyRejected'
              : record.statusTone === 'waiting'
                ? 'record.whyReturned'
                : 'record.message',
          )}
        />
      ) : null}
      {pay.error ? (
        <Notice tone="danger" isLive title={t('record.payFailed')}>
          {messageOf(pay.error)}
        </Notice>
      ) : null}
      {can('pay') ? <DueLines record={record} /> : null}
      {can('pay') || can('update') ? (
        <div data-no-print className="flex flex-col gap-2 md:items-start">
          {can('pay') ? (
            <>
              <Button
                size="lg"
                icon={<CreditCard aria-hidden size={20} />}
                isPending={pay.isPending || isLeaving}
                onPress={() => pay.mutate({ params: { requestId: record.requestId } })}
              >
                {t('record.pay', { amount: money(record.due) })}
              </Button>
              <p className="text-sm text-ink-600">{t('record.payHint')}</p>
            </>
          ) : null}
          {can('update') ? (
            <Button size="lg" icon={<PencilLine aria-hidden size={20} />} onPress={onMend}>
              {t(mend.isBegun ? 'record.mendGoOn' : 'record.mend')}
            </Button>
          ) : null}
          {mend.isBegun && mend.savedAt ? (
            <p className="text-sm text-ink-600">
              {t('record.mendSaved', { when: relative(mend.savedAt) })}
            </p>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
