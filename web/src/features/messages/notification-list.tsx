import { CheckCheck, Mail, MailOpen } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getOwnCommunication } from '@diwan/contract/people/communication-types';
import {
  getNotifications,
  getNotificationSettings,
  markNotifications,
  saveNotificationSetting,
  ownNotificationKinds,
  urgentNotificationKinds,
  type NotificationSetting,
  type NotificationSettingKind,
  type RequestNotice,
} from '@diwan/contract/staff/notifications';
import { grantedRoles } from '@diwan/contract/wire/call';
import { PushControl } from './push-control.tsx';

const pageSize = 20;

const reload = () => void queryClient.invalidateQueries({ queryKey: [getNotifications.name] });

interface NotificationPageProps {
  number: number;
  isUnread: boolean;
}

/** One page of the list. The header shows the numbers of the first one. */
function useNotificationPage({ number, isUnread }: NotificationPageProps) {
  return useCall(getNotifications, {
    query: {
      Take: pageSize,
      ...(number > 1 ? { PageNumber: number } : {}),
      ...(isUnread ? { Unread: 'true' as const } : {}),
    },
    staleTime: 0,
    keepPrevious: true,
  });
}

interface NotificationRowsProps extends NotificationPageProps {
  mark: (marked: { ids: number[]; isRead: boolean }) => void;
  onClose: () => void;
}

function NotificationRows({ mark, onClose, ...page }: NotificationRowsProps) {
  const { data, error, refetch, isRefetching } = useNotificationPage(page);
  if (error && !data)
    return (
      <li>
        <ErrorState error={error} onRetry={refetch} isRetrying={isRefetching} />
      </li>
    );
  if (!data)
    return (
      <li>
        <SkeletonRows count={3} />
      </li>
    );
  return data.items.map((item) => (
    <NotificationRow
      key={item.id}
      item={item}
      onOpen={() => {
        if (!item.isRead) mark({ ids: [item.id], isRead: true });
        onClose();
      }}
      onMark={() => mark({ ids: [item.id], isRead: !item.isRead })}
    />
  ));
}

interface NotificationListProps {
  /** A notification was opened. */
  onClose?: () => void;
}

/** The notifications of the user, newest first. */
export function NotificationList({ onClose = () => undefined }: NotificationListProps) {
  const { t } = useTranslation('notifications');
  const isApplicant = !hasRole(useSession(), ...grantedRoles);
  const [isUnread, setIsUnread] = useState(false);
  const [pages, setPages] = useState(1);
  const list = useNotificationPage({ number: 1, isUnread });
  const mark = useAction(markNotifications, { onSuccess: reload });
  if (list.error && !list.data)
    return (
      <ErrorState
        error={list.error}
        title={t('failed')}
        onRetry={list.refetch}
        isRetrying={list.isRefetching}
      />
    );
  if (!list.data) return <SkeletonRows count={5} />;
  const { totalCount, unreadCount } = list.data;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-sm text-ink-600">
          {t('unread', { count: unreadCount })}
        </p>
        <Button
          variant="quiet"
          size="sm"
          icon={<CheckCheck aria-hidden size={18} />}
          isDisabled={unreadCount === 0}
          isPending={mark.isPending}
          onPress={() => mark.mutate({ body: { isRead: true } })}
        >
          {t('markAll')}
        </Button>
      </div>
      <Checkbox isPlain label={t('onlyUnread')} value={isUnread} onChange={setIsUnread} />
      {totalCount === 0 ? (
        <EmptyState title={t('emptyTitle')}>
          {t(isUnread ? 'noUnread' : isApplicant ? 'ownEmptyText' : 'emptyText')}
        </EmptyState>
      ) : (
        <ul>
          {Array.from({ length: pages }, (_, index) => (
            <NotificationRows
              key={index}
              number={index + 1}
              isUnread={isUnread}
              mark={(body) => mark.mutate({ body })}
              onClose={onClose}
            />
          ))}
        </ul>
      )}
      {pages * pageSize < totalCount ? (
        <Button variant="secondary" onPress={() => setPages(pages + 1)}>
          {t('more')}
        </Button>
      ) : null}
    </div>
  );
}

interface NotificationRowProps {
  item: RequestNotice;
  onOpen: () => void;
  onMark: () => void;
}

function NotificationRow({ item, onOpen, onMark }: NotificationRowProps) {
  const { t } = useTranslation('notifications');
  const { requestNumber, serviceName, actorName, isRead, kind, at } = item;
  return (
    <li
      className={classNames(
        'relative flex items-start gap-2 border-b border-s-4 border-b-ink-100 py-3 ps-3',
        isRead ? 'border-s-transparent' : 'border-s-primary bg-gold-50',
      )}
    >
      <div className="min-w-0 grow text-sm">
        <Link
          to={`/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`}
          state={{ requestNumber }}
          onClick={onOpen}
          className={classNames('row-link text-base text-ink-900', !isRead && 'font-semibold')}
        >
          {t(`kinds.${kind}`)}
        </Link>
        <p className="flex flex-wrap gap-x-2">
          <Reference>{requestNumber}</Reference>
          <bdi className="min-w-0 truncate text-ink-600">{serviceName}</bdi>
        </p>
        <p className="flex flex-wrap gap-x-2 text-ink-500">
          {actorName ? <span>{t('by', { name: `\u2068${actorName}\u2069` })}</span> : null}
          <Moment at={at} as="dateTime" />
        </p>
      </div>
      <span className="relative z-1 shrink-0">
        <IconButton label={t(isRead ? 'markUnread' : 'markRead')} onPress={onMark}>
          {isRead ? <Mail aria-hidden size={18} /> : <MailOpen aria-hidden size={18} />}
        </IconButton>
      </span>
    </li>
  );
}

const ways = ['inPortal', 'byMail', 'bySms', 'byPush'] as const;
/** The digest is a mail only. */
const waysOf = (kind: NotificationSettingKind) =>
  kind === 'digest' ? (['byMail'] as const) : ways;

const isOwn = (kind: string) => ownNotificationKinds.some((own) => own === kind);

/** How the user hears of each kind. */
export function NotificationSettings({ onClose = () => undefined }: NotificationListProps) {
  const { t } = useTranslation('notifications');
  const own = useCall(getOwnCommunication, { skipErrorHandling: true });
  const isSmsMissing = own.data !== undefined && !own.data.proved.includes('sms');
  const settings = useCall(getNotificationSettings, {});
  const save = useAction(saveNotificationSetting, {
    skipErrorHandling: true,
    onSuccess: () =>
      void queryClient.invalidateQueries({ queryKey: [getNotificationSettings.name] }),
  });
  if (settings.error && !settings.data)
    return (
      <ErrorState
        error={settings.error}
        title={t('failed')}
        onRetry={settings.refetch}
        isRetrying={settings.isRefetching}
      />
    );
  if (!settings.data) return <SkeletonRows count={5} />;
  const change = (setting: NotificationSetting, changed: Partial<NotificationSetting>) =>
    save.mutate({ body: { ...setting, ...changed } });
  return (
    <div className="flex flex-col gap-4">
      <div className="border-b border-ink-100 pb-4">
        <PushControl />
      </div>
      <p className="text-ink-700">
        {t('settingsLead')}{' '}
        <span>{settings.data.some(({ kind }) => isOwn(kind)) ? t('channelsHint') : ''}</span>
      </p>
      {isSmsMissing ? (
        <p className="text-sm text-ink-600">
          {t('phoneNeeded')}{' '}
          <Link to="/account/profile" onClick={onClose} className="link">
            {t('openProfile')}
          </Link>
        </p>
      ) : null}
      <ErrorAlert error={save.error} title={t('settingFailed')} />
      {settings.data.map((setting) => {
        // The choice that is being saved is shown immediately.
        const sent = save.isPending ? save.variables.body : undefined;
        const shown = sent?.kind === setting.kind ? sent : setting;
        return (
          <fieldset key={setting.kind} className="border-b border-ink-100 pb-2">
            <legend className="font-semibold">{t(`kinds.${setting.kind}`)}</legend>
            <div className="grid grid-cols-2 gap-x-4">
              {waysOf(setting.kind).map((way) => (
                <Checkbox
                  key={way}
                  isPlain
                  label={t(way)}
                  value={shown[way] && !(way === 'bySms' && isSmsMissing)}
                  isDisabled={way === 'bySms' && isSmsMissing}
                  onChange={(isChosen) => change(setting, { [way]: isChosen })}
                />
              ))}
            </div>
            {urgentNotificationKinds.includes(setting.kind) ? (
              <p className="text-sm text-ink-600">{t('urgentHint')}</p>
            ) : null}
          </fieldset>
        );
      })}
    </div>
  );
}
