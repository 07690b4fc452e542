import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { directionOf } from '@diwan/contract/languages';
import { getRequestMessages, type RequestMessage } from '@diwan/contract/messages';
import { useCall } from '../../lib/use-call.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx';
import { MessageStateTag } from './message-state-tag.tsx';

function MessageRow({ message }: { message: RequestMessage }) {
  const { t } = useTranslation(['messages', 'requests']);
  const step = message.action ? t(`requests:story.${message.action}`) : message.subject;
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="font-semibold">{step}</p>
        <MessageStateTag state={message.state} />
      </div>
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-600"><span>{t(`channels.${message.channel}`)}</span><bdi dir="ltr" className="wrap-anywhere">{message.recipient}</bdi><Moment at={message.endedAt ?? message.createdAt} /></p>
      <details className="mt-1 text-sm">
        <summary className="link w-fit cursor-pointer">{t('sent.read')}<span className="sr-only"> {step}, {t(`channels.${message.channel}`)}</span></summary>
        <div lang={message.language.slice(0, 2)} dir={directionOf(message.language)} className="mt-2 rounded-md bg-ink-50 p-4 wrap-anywhere whitespace-pre-line">
          {message.subject ? <p className="mb-2 font-semibold">{message.subject}</p> : null}
          {message.text}
        </div>
      </details>
    </li>
  );
}

/** What was sent about a request: when, by which way, and whether it is on its way. */
export function RequestMessages({ requestId, isStaff }: { requestId: number; isStaff: boolean }) {
  const { t } = useTranslation('messages');
  const [isOnItsWay, setIsOnItsWay] = useState(false);
  const { data, error, refetch, isFetching } = useCall(getRequestMessages, { query: { RequestId: requestId }, refetchInterval: isOnItsWay && 5000 });
  const isWaiting = data?.some(({ state }) => state === 'waiting') ?? false;
  if (isWaiting !== isOnItsWay) setIsOnItsWay(isWaiting);
  return (
    <Card title={t(isStaff ? 'sent.staffTitle' : 'sent.title')}>
      {data && data.length > 0 ? <ul className="divide-y divide-ink-100">{data.map((message) => <MessageRow key={message.messageId} message={message} />)}</ul>
        : data ? <p className="text-ink-600">{t('sent.none')}</p>
        : error ? <ErrorState error={error} onRetry={refetch} isRetrying={isFetching} /> : <Skeleton><SkeletonText lines={3} /></Skeleton>}
    </Card>
  );
}
