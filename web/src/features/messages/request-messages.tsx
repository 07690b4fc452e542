import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card, FoldedCard } from '#ui/data/card.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { getRequestMessages, type RequestMessage } from '@diwan/contract/requests/messages';
import { directionOf } from '@diwan/contract/wire/languages';
import { MessageStateTag } from './message-state-tag.tsx';
import { messageSteps } from './message-steps.ts';

const shortList = 3;

/** A text whose reference numbers do not break at hyphens. */
function UnbrokenReferences({ text }: { text: string }) {
  // `split` returns the reference numbers at odd indexes.
  return text.split(/([A-Z0-9]+(?:-[A-Z0-9]+)+)/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      <span key={index}>{part}</span>
    ),
  );
}

/** The messages of one step, sent through one or more channels; the text is shown on demand. */
function StepMessages({
  messages,
  isHidden,
}: {
  messages: readonly RequestMessage[];
  isHidden: boolean;
}) {
  const { t } = useTranslation(['messages', 'requests']);
  const [first] = messages;
  if (!first) return null;
  const step = first.action
    ? t(`requests:story.${first.action}`)
    : first.news
      ? t(`news.${first.news}`)
      : first.subject;
  return (
    <li className={`py-3 first:pt-0 last:pb-0 ${isHidden ? 'not-print:hidden' : ''}`}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{step}</span>
        <span className="text-sm text-ink-500">
          <Moment at={first.createdAt} />
        </span>
      </p>
      <ul className="mt-1 flex flex-col gap-2 text-sm text-ink-600">
        {messages.map((message) => (
          <li key={message.messageId} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>{t(`channels.${message.channel}`)}</span>
            <MessageStateTag state={message.state} />
            <bdi dir="ltr" className="wrap-anywhere">
              {message.recipient}
            </bdi>
          </li>
        ))}
      </ul>
      <details data-no-print className="mt-1 text-sm">
        <summary className="link w-fit cursor-pointer py-2">
          {t('sent.read')}
          <span className="sr-only">
            : <span>{step}</span>
          </span>
        </summary>
        {messages.map((message) => (
          <div key={message.messageId} className="mt-2 rounded-md bg-ink-50 p-4">
            {messages.length > 1 ? (
              <p className="mb-2 text-ink-600">{t(`channels.${message.channel}`)}</p>
            ) : null}
            <div
              lang={message.language.slice(0, 2)}
              dir={directionOf(message.language)}
              className="wrap-anywhere whitespace-pre-line"
            >
              {message.subject ? (
                <p className="mb-2 font-semibold">
                  <UnbrokenReferences text={message.subject} />
                </p>
              ) : null}
              <UnbrokenReferences text={message.text} />
            </div>
          </div>
        ))}
      </details>
    </li>
  );
}

function StepList({ steps }: { steps: readonly RequestMessage[][] }) {
  const { t } = useTranslation('messages');
  const [isExpanded, setIsExpanded] = useState(false);
  return (
    <>
      <ul className="divide-y divide-ink-100">
        {steps.map((messages, index) => (
          <StepMessages
            key={messages[0]?.messageId}
            messages={messages}
            isHidden={!isExpanded && index >= shortList}
          />
        ))}
      </ul>
      {steps.length > shortList && !isExpanded ? (
        <div data-no-print className="mt-3">
          <Button variant="secondary" size="sm" onPress={() => setIsExpanded(true)}>
            {t('sent.all')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The messages of a request: time, channel and delivery state. */
export function RequestMessages({ requestId, isStaff }: { requestId: number; isStaff: boolean }) {
  const { t } = useTranslation('messages');
  const { count } = useFormat();
  const [isDelivering, setIsDelivering] = useState(false);
  const { data, error, refetch, isFetching } = useCall(getRequestMessages, {
    query: { RequestId: requestId },
    staleTime: 0,
    refetchInterval: isDelivering && 5000,
  });
  const isWaiting = data?.some(({ state }) => state === 'waiting') ?? false;
  if (isWaiting !== isDelivering) setIsDelivering(isWaiting);
  // An applicant sees no empty card.
  if (!isStaff && !error && !data?.length) return null;
  const steps = data && messageSteps(data);
  const content =
    steps && steps.length > 0 ? (
      <StepList steps={steps} />
    ) : data ? (
      <p className="text-ink-600">{t('sent.none')}</p>
    ) : (
      <NoMessages error={error} isRetrying={isFetching} onRetry={refetch} />
    );
  return isStaff ? (
    <Card title={t('sent.staffTitle')}>{content}</Card>
  ) : (
    <FoldedCard isInFullPrintOnly title={t('sent.title')} summary={steps && count(steps.length)}>
      {content}
    </FoldedCard>
  );
}

/** While the messages are loading, or after an error. */
function NoMessages({
  error,
  isRetrying,
  onRetry,
}: {
  error: ApiError | null;
  isRetrying: boolean;
  onRetry: () => Promise<unknown>;
}) {
  return error ? (
    <ErrorState error={error} onRetry={onRetry} isRetrying={isRetrying} />
  ) : (
    <Skeleton>
      <SkeletonText lines={3} />
    </Skeleton>
  );
}
