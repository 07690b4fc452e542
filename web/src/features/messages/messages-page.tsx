import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useCall, useAction } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import {
  retryFailedMessages,
  getMessages,
  messageErrors,
  messageStates,
  type Message,
  giveUpMessages,
} from '@diwan/contract/requests/messages';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { messageChannels } from '@diwan/contract/wire/channels';
import { MessageStateTag } from './message-state-tag.tsx';
import { useRetry, useRetryFailed, refreshMessages } from './messages.data.ts';

/** Confirms that a message is not retried any more. */
function GiveUpDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation('messages');
  const giveUp = useAction(giveUpMessages, {
    onSuccess: async ({ changed }) => {
      showToast(
        t(changed > 0 ? 'giveUp.done' : 'giveUp.tooLate'),
        changed > 0 ? 'success' : 'info',
      );
      onClose();
      await refreshMessages();
    },
  });
  return (
    <ConfirmDialog
      title={t('giveUp.title')}
      confirmLabel={t('giveUp.one')}
      pendingLabel={t('giveUp.pending')}
      cancelLabel={t('giveUp.cancel')}
      cancelVariant="secondary"
      isDangerous
      isPending={giveUp.isPending}
      onConfirm={() => giveUp.mutate({ body: { messageIds: [message.messageId] } })}
      onClose={onClose}
    >
      <p className="mb-2 font-semibold">
        <bdi dir="ltr">{message.recipient}</bdi>
      </p>
      <p>{t('giveUp.text')}</p>
    </ConfirmDialog>
  );
}

const any = '-';

const canBeRetried = (message: Message) =>
  ['paused', 'failed', 'givenUp'].includes(message.state) ||
  (message.state === 'waiting' && message.fault !== undefined);

function DeliveryError({ message }: { message: Message }) {
  const { t } = useTranslation('messages');
  if (!message.fault) return null;
  return (
    <span className="inline-block lg:min-w-44">
      <span className="block">{t(`faults.${message.fault}`)}</span>
      {message.faultDetail ? (
        <span className="block text-ink-500">
          <bdi dir="ltr" className="wrap-anywhere">
            {message.faultDetail}
          </bdi>
        </span>
      ) : null}
      <span className="block text-ink-500">{t('list.tries', { count: message.tries })}</span>
      {message.dueAt ? (
        <span className="block text-ink-500">
          {t('list.nextTry')}
          <Moment at={message.dueAt} as="time" />
        </span>
      ) : null}
    </span>
  );
}

function Controls({
  message,
  onGiveUp,
}: {
  message: Message;
  onGiveUp: (message: Message) => void;
}) {
  const { t } = useTranslation('messages');
  const retry = useRetry();
  if (message.state === 'sent') return null;
  const about = (
    <span className="sr-only">
      : <span>{message.recipient}</span>
    </span>
  );
  return (
    <span className="flex flex-wrap gap-2">
      {canBeRetried(message) ? (
        <Button
          size="sm"
          variant="secondary"
          isPending={retry.isPending}
          pendingLabel={t('retry.pending')}
          onPress={() => retry.mutate({ body: { messageIds: [message.messageId] } })}
        >
          <span>{t(message.state === 'paused' ? 'retry.send' : 'retry.one')}</span>
          {about}
        </Button>
      ) : null}
      {message.state === 'givenUp' ? null : (
        <Button size="sm" variant="quiet" onPress={() => onGiveUp(message)}>
          {t('giveUp.one')}
          {about}
        </Button>
      )}
    </span>
  );
}

function useColumns(onGiveUp: (message: Message) => void): Column<Message>[] {
  const { t } = useTranslation('messages');
  return [
    {
      key: 'recipient',
      header: t('list.recipient'),
      isPrimary: true,
      cell: (message) => (
        <>
          <span className="block lg:min-w-52">
            <bdi dir="ltr" className="wrap-anywhere">
              {message.recipient}
            </bdi>
          </span>
          <span className="block font-normal text-ink-500">{t(`channels.${message.channel}`)}</span>
        </>
      ),
    },
    {
      key: 'about',
      header: t('list.about'),
      cell: (message) => (
        <span className="inline-block lg:min-w-44">
          <span className="block">
            <span>{t(`kinds.${message.kind}`)}</span>
            {message.requestNumber ? (
              <>
                {' '}
                <Reference>{message.requestNumber}</Reference>
              </>
            ) : null}
          </span>
          {message.subject ? (
            <span className="block text-ink-500">
              <bdi>{message.subject}</bdi>
            </span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('list.state'),
      cell: (message) => (
        <>
          <MessageStateTag state={message.state} />
          {message.state === 'paused' ? (
            <span className="mt-1 block text-ink-500 lg:min-w-44">{t('list.paused')}</span>
          ) : null}
        </>
      ),
    },
    { key: 'why', header: t('list.why'), cell: (message) => <DeliveryError message={message} /> },
    {
      key: 'written',
      header: t('list.written'),
      cell: (message) => <Moment at={message.createdAt} as="relative" />,
    },
    {
      key: 'actions',
      header: t('list.actions'),
      isControl: true,
      call: giveUpMessages,
      cell: (message) => <Controls message={message} onGiveUp={onGiveUp} />,
    },
  ];
}

interface MessageFiltersProps {
  channel: (typeof messageChannels)[number] | undefined;
  fault: (typeof messageErrors)[number] | undefined;
  onChange: (changed: { channel: string } | { fault: string }) => void;
}

function MessageFilters({ channel, fault, onChange }: MessageFiltersProps) {
  const { t } = useTranslation('messages');
  return (
    <div className="grid grid-cols-2 gap-4 md:contents">
      <div className="md:w-44">
        <SelectField
          label={t('list.channel')}
          value={channel ?? any}
          choices={[
            { value: any, label: t('list.anyChannel') },
            ...messageChannels.map((each) => ({ value: each, label: t(`channels.${each}`) })),
          ]}
          onChange={(each) => onChange({ channel: each === any ? '' : each })}
        />
      </div>
      <div className="md:w-60">
        <SelectField
          label={t('list.why')}
          value={fault ?? any}
          choices={[
            { value: any, label: t('list.anyFault') },
            ...messageErrors.map((each) => ({ value: each, label: t(`faults.${each}`) })),
          ]}
          onChange={(each) => onChange({ fault: each === any ? '' : each })}
        />
      </div>
    </div>
  );
}

/** Retries all failed messages of the filters, or sends all paused ones. */
function RetryAll({
  count,
  body,
}: {
  count: number;
  body: BodyInputOf<typeof retryFailedMessages>;
}) {
  const { t } = useTranslation('messages');
  const retry = useRetryFailed();
  return (
    <Button
      call={retryFailedMessages}
      variant="secondary"
      icon={<RotateCcw aria-hidden size={18} />}
      isPending={retry.isPending}
      pendingLabel={t('retry.pending')}
      onPress={() => retry.mutate({ body })}
    >
      {t(body.state === 'paused' ? 'retry.sendAll' : 'retry.all', { count })}
    </Button>
  );
}

/**
 * All messages for an admin: pending and failed ones first, with the error and the possible
 * actions.
 */
export function MessagesPage() {
  const { t } = useTranslation('messages');
  const filters = useSearchFilters('state', 'channel', 'fault');
  const state = [...messageStates, 'all' as const].find((each) => each === filters.values.state);
  const channel = messageChannels.find((each) => each === filters.values.channel);
  const fault = messageErrors.find((each) => each === filters.values.fault);
  const chosen = { SearchKeyword: filters.keyword || undefined, Channel: channel, Fault: fault };
  const [isDelivering, setIsDelivering] = useState(false);
  const list = useCall(getMessages, {
    query: { ...chosen, State: state, PageNumber: filters.page, Take: adminPageSize },
    keepPrevious: true,
    refetchInterval: isDelivering ? 1500 : 10_000,
  });
  // Which messages one button sends: the paused ones where they are shown alone, else the failed ones.
  const retried = state === 'paused' ? 'paused' : 'failed';
  const hasRetried = state === undefined || state === retried;
  const unsent = useCall(getMessages, {
    query: { ...chosen, State: retried, PageNumber: 1, Take: 1 },
    keepPrevious: true,
    refetchInterval: isDelivering ? 1500 : 10_000,
    enabled: hasRetried,
  });
  // The state of a message that is being delivered changes within seconds, so the list is polled
  // faster.
  const isOneDue =
    list.data?.items.some(
      ({ state: each, dueAt }) =>
        each === 'waiting' && dueAt !== undefined && Date.parse(dueAt) < list.dataUpdatedAt,
    ) ?? false;
  if (isOneDue !== isDelivering) setIsDelivering(isOneDue);
  const [givingUp, setGivingUp] = useState<Message>();
  const columns = useColumns(setGivingUp);
  const unsentCount = (hasRetried ? unsent.data?.totalCount : undefined) ?? 0;
  const filter = {
    name: 'state' as const,
    label: t('list.state'),
    any: t('list.open'),
    choices: [
      ...messageStates.map((each) => ({ value: each, label: t(`states.${each}`) })),
      { value: 'all', label: t('list.all') },
    ],
  };
  return (
    <>
      <AdminList
        action={
          unsentCount > 1 ? (
            <RetryAll
              count={unsentCount}
              body={{ state: retried, channel, fault, searchKeyword: chosen.SearchKeyword }}
            />
          ) : undefined
        }
        title={t('list.title')}
        lead={t('list.lead')}
        placeholder={t('list.search')}
        filters={filters}
        filter={filter}
        more={<MessageFilters channel={channel} fault={fault} onChange={filters.change} />}
        list={list}
        columns={columns}
        rowKey={(message) => message.messageId}
        emptyTitle={state === undefined ? t('list.nothingOpen') : undefined}
      />
      {givingUp ? <GiveUpDialog message={givingUp} onClose={() => setGivingUp(undefined)} /> : null}
    </>
  );
}
