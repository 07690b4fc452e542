import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { saveTable } from '#lib/browser/save-file.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card, FoldedCard } from '#ui/data/card.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { getRequestReads, type AccessLogEntry } from '@diwan/contract/staff/access-log';

const shortListLength = 5;

function useAccessTexts() {
  const { t } = useTranslation('acting');
  return {
    who: (entry: AccessLogEntry) =>
      [t(`reads.kinds.${entry.readerKind}`), entry.name].filter(Boolean).join(': '),
    what: (entry: AccessLogEntry) =>
      entry.documentName === undefined
        ? t('reads.request')
        : entry.documentName === ''
          ? t('reads.gone')
          : t('reads.document', { name: `\u2068${entry.documentName}\u2069` }),
    why: (entry: AccessLogEntry) =>
      [entry.reason && t(`reasons.${entry.reason}`), entry.reasonText].filter(Boolean).join(': '),
  };
}

/** The staff members who have opened the request and its documents, for the applicant. */
export function AccessLog({
  requestId,
  requestNumber,
  isFolded = false,
}: {
  requestId: number;
  requestNumber: string;
  isFolded?: boolean;
}) {
  const { t } = useTranslation('acting');
  const { count } = useFormat();
  const texts = useAccessTexts();
  const { data, error, refetch, isFetching } = useCall(getRequestReads, {
    query: { RequestId: requestId },
    skipErrorHandling: true,
  });
  const [isComplete, setIsComplete] = useState(false);
  const save = () =>
    saveTable(`who-looked-${requestNumber}.csv`, [
      [t('reads.at'), t('reads.who'), t('reads.office'), t('reads.what'), t('reads.why')],
      ...(data ?? []).map((entry) => [
        entry.at,
        texts.who(entry),
        entry.office,
        texts.what(entry),
        texts.why(entry),
      ]),
    ]);
  const content = (
    <>
      <p className="mb-4 text-ink-600">{t('reads.lead')}</p>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={refetch} isRetrying={isFetching} />
        ) : (
          <Skeleton>
            <SkeletonText lines={3} />
          </Skeleton>
        )
      ) : data.length === 0 ? (
        <p>{t('reads.nobody')}</p>
      ) : (
        <>
          <ul className="divide-y divide-ink-100">
            {data.map((entry, index) => (
              <li
                key={`${entry.at} ${index}`}
                className={classNames(
                  'flex gap-3 py-3 first:pt-0',
                  !isComplete && index >= shortListLength && 'not-print:hidden',
                )}
              >
                <span className="flex h-[1lh] items-center text-ink-500">
                  <Eye aria-hidden size={20} className="shrink-0" />
                </span>
                <span className="min-w-0 grow">
                  <span className="block">
                    <bdi>{texts.who(entry)}</bdi>
                    {entry.office ? (
                      <span className="block text-ink-600">
                        <bdi>{entry.office}</bdi>
                      </span>
                    ) : null}
                  </span>
                  <span className="block text-sm break-words text-ink-600">
                    <span>{texts.what(entry)}</span> · <Moment at={entry.at} />
                  </span>
                  {texts.why(entry) ? (
                    <span className="block text-sm break-words text-ink-600">
                      {t('reads.why')}: <bdi>{texts.why(entry)}</bdi>
                    </span>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
          <div data-no-print className="mt-3 flex flex-wrap gap-3">
            {data.length > shortListLength && !isComplete ? (
              <Button variant="secondary" size="sm" onPress={() => setIsComplete(true)}>
                {t('reads.show')}
              </Button>
            ) : null}
            <Button variant="quiet" size="sm" onPress={save}>
              {t('reads.save')}
            </Button>
          </div>
        </>
      )}
    </>
  );
  return isFolded ? (
    <FoldedCard isInFullPrintOnly title={t('reads.title')} summary={data && count(data.length)}>
      {content}
    </FoldedCard>
  ) : (
    <Card title={t('reads.title')}>{content}</Card>
  );
}
