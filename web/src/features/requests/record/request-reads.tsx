import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getRequestReads, type RequestRead } from '@diwan/contract/requests/request-reads';
import { saveTable } from '../../../lib/browser/save-table.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';

const shortList = 5;

function useReadWords() {
  const { t } = useTranslation('acting');
  return {
    who: (read: RequestRead) =>
      [t(`reads.kinds.${read.readerKind}`), read.name].filter(Boolean).join(': '),
    what: (read: RequestRead) =>
      read.documentName === undefined
        ? t('reads.request')
        : read.documentName === ''
          ? t('reads.gone')
          : t('reads.document', { name: `\u2068${read.documentName}\u2069` }),
  };
}

/** Who of the staff has opened the request and its documents, for the person whose data it is. */
export function RequestReads({
  requestId,
  requestNumber,
}: {
  requestId: number;
  requestNumber: string;
}) {
  const { t } = useTranslation('acting');
  const words = useReadWords();
  const { data, error, refetch, isFetching } = useCall(getRequestReads, {
    query: { RequestId: requestId },
    skipErrorHandling: true,
  });
  const [isWhole, setIsWhole] = useState(false);
  const save = () =>
    saveTable(`who-looked-${requestNumber}.csv`, [
      [t('reads.at'), t('reads.who'), t('reads.office'), t('reads.what')],
      ...(data ?? []).map((read) => [read.at, words.who(read), read.office, words.what(read)]),
    ]);
  return (
    <Card title={t('reads.title')}>
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
            {data.map((read, index) => (
              <li
                key={`${read.at} ${index}`}
                className={`flex gap-3 py-3 first:pt-0 ${isWhole || index < shortList ? '' : 'not-print:hidden'}`}
              >
                <span className="flex h-[1lh] items-center text-ink-500">
                  <Eye aria-hidden size={20} className="shrink-0" />
                </span>
                <span className="min-w-0 grow">
                  <span className="block">
                    <bdi>{words.who(read)}</bdi>
                    {read.office ? (
                      <span className="block text-ink-600">
                        <bdi>{read.office}</bdi>
                      </span>
                    ) : null}
                  </span>
                  <span className="block text-sm break-words text-ink-600">
                    {words.what(read)} · <Moment at={read.at} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <div data-no-print className="mt-3 flex flex-wrap gap-3">
            {data.length > shortList && !isWhole ? (
              <Button variant="secondary" size="sm" onPress={() => setIsWhole(true)}>
                {t('reads.show')}
              </Button>
            ) : null}
            <Button variant="quiet" size="sm" onPress={save}>
              {t('reads.save')}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}
