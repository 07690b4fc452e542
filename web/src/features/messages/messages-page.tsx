import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  getMessages,
  messageChannels,
  messageFaults,
  messageStates,
  type Message,
} from '@diwan/contract/requests/messages';
import { useAddressFilters } from '../../lib/browser/use-address-filters.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { Reference } from '../../ui/values/reference.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { AdminList, adminPageSize } from '../dashboards/admin-list.tsx';
import { GiveUpDialog } from './give-up-dialog.tsx';
import { useRetry, useRetryFailed } from './messages.data.ts';
import { MessageStateTag } from './message-state-tag.tsx';

const any = '-';

const canBeRetried = (message: Message) =>
  message.state === 'failed' ||
  message.state === 'givenUp' ||
  (message.state === 'waiting' && message.fault !== undefined);

function Why({ message }: { message: Message }) {
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
  const about = <span className="sr-only">: {message.recipient}</span>;
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
          {t('retry.one')}
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
            {t(`kinds.${message.kind}`)}
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
      cell: (message) => <MessageStateTag state={message.state} />,
    },
    { key: 'why', header: t('list.why'), cell: (message) => <Why message={message} /> },
    {
      key: 'written',
      header: t('list.written'),
      cell: (message) => <Moment at={message.createdAt} as="relative" />,
    },
    {
      key: 'actions',
      header: t('list.actions'),
      isControl: true,
      cell: (message) => <Controls message={message} onGiveUp={onGiveUp} />,
    },
  ];
}

/**
 * What people were sent, for an admin: what waits and failed first, with why, and what can be done.
 */
export function MessagesPage() {
  const { t } = useTranslation('messages');
  const filters = useAddressFilters('state', 'channel', 'fault');
  const state = [...messageStates, 'all' as const].find((each) => each === filters.values.state);
  const channel = messageChannels.find((each) => each === filters.values.channel);
  const fault = messageFaults.find((each) => each === filters.values.fault);
  const chosen = { SearchKeyword: filters.keyword || undefined, Channel: channel, Fault: fault };
  const [isOnItsWay, setIsOnItsWay] = useState(false);
  const list = useCall(getMessages, {
    query: { ...chosen, State: state, PageNumber: filters.page, Take: adminPageSize },
    keepPrevious: true,
    refetchInterval: isOnItsWay ? 1500 : 10_000,
  });
  const mayHoldFailed = state === undefined || state === 'failed';
  const failed = useCall(getMessages, {
    query: { ...chosen, State: 'failed', PageNumber: 1, Take: 1 },
    keepPrevious: true,
    refetchInterval: isOnItsWay ? 1500 : 10_000,
    enabled: mayHoldFailed,
  });
  // What is being handed over now is known in a moment; what waits for its time is not.
  const isOneDue =
    list.data?.items.some(
      ({ state: each, dueAt }) =>
        each === 'waiting' && dueAt !== undefined && Date.parse(dueAt) < list.dataUpdatedAt,
    ) ?? false;
  if (isOneDue !== isOnItsWay) setIsOnItsWay(isOneDue);
  const [givingUp, setGivingUp] = useState<Message>();
  const retry = useRetryFailed();
  const columns = useColumns(setGivingUp);
  const failedCount = (mayHoldFailed ? failed.data?.totalCount : undefined) ?? 0;
  const filter = {
    name: 'state' as const,
    label: t('list.state'),
    any: t('list.open'),
    choices: [
      ...messageStates.map((each) => ({ value: each, label: t(`states.${each}`) })),
      { value: 'all', label: t('list.all') },
    ],
  };
  const more = (
    <div className="grid grid-cols-2 gap-4 md:contents">
      <div className="md:w-44">
        <SelectField
          label={t('list.channel')}
          value={channel ?? any}
          choices={[
            { value: any, label: t('list.anyChannel') },
            ...messageChannels.map((each) => ({ value: each, label: t(`channels.${each}`) })),
          ]}
          onChange={(each) => filters.change({ channel: each === any ? '' : each })}
        />
      </div>
      <div className="md:w-60">
        <SelectField
          label={t('list.why')}
          value={fault ?? any}
          choices={[
            { value: any, label: t('list.anyFault') },
            ...messageFaults.map((each) => ({ value: each, label: t(`faults.${each}`) })),
          ]}
          onChange={(each) => filters.change({ fault: each === any ? '' : each })}
        />
      </div>
    </div>
  );
  const again =
    failedCount > 1 ? (
      <Button
        variant="secondary"
        icon={<RotateCcw aria-hidden size={18} />}
        isPending={retry.isPending}
        pendingLabel={t('retry.pending')}
        onPress={() =>
          retry.mutate({ body: { channel, fault, searchKeyword: chosen.SearchKeyword } })
        }
      >
        {t('retry.all', { count: failedCount })}
      </Button>
    ) : undefined;
  return (
    <>
      <AdminList
        action={again}
        title={t('list.title')}
        lead={t('list.lead')}
        placeholder={t('list.search')}
        filters={filters}
        filter={filter}
        more={more}
        list={list}
        columns={columns}
        rowKey={(message) => message.messageId}
        emptyTitle={state === undefined ? t('list.nothingOpen') : undefined}
      />
      {givingUp ? <GiveUpDialog message={givingUp} onClose={() => setGivingUp(undefined)} /> : null}
    </>
  );
}
