import { Bell as BellIcon, CloudOff, RefreshCw } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import {
  clearBuzz,
  retryLiveConnection,
  useLiveCounts,
  type CountName,
} from '#features/requests/live/live-counts.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLazyComponent } from '#lib/page/lazy-component.ts';
import { useLocation } from '#lib/router/router-provider.tsx';
import { LiveState } from '#ui/feedback/live-state.tsx';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { badgeText, useRequestCounts } from '../navigation/request-counts.ts';
import { HeaderMenu } from './header-menu.tsx';

// Several requests that arrive together are announced once.
const announcementDelayMs = 1500;

/** Announces the counts to screen readers when a request arrives, not when the counts decrease. */
function BellAnnouncement({ text, arrivals }: { text: string; arrivals: number }) {
  const [announced, setAnnounced] = useState('');
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    if (arrivals === 0) return;
    const timer = setTimeout(() => setAnnounced(latest.current), announcementDelayMs);
    return () => clearTimeout(timer);
  }, [arrivals]);
  return (
    <span role="status" className="sr-only">
      {announced}
    </span>
  );
}

const lists = [
  { name: 'new', to: '/requests/new' },
  { name: 'processing', to: '/requests/processing' },
] as const satisfies readonly { name: CountName; to: string }[];

/** A number beside a link of the header. Its place is that of the page's direction. */
export function Badge({ value, className }: { value: number; className?: string }) {
  const { count } = useFormat();
  return (
    <span
      aria-hidden
      data-badge
      className={classNames(
        'inline-flex min-w-6 items-center justify-center rounded-full px-1.5 text-sm',
        'leading-5.5 font-semibold tabular-nums',
        value > 0 ? 'bg-amber-100 text-amber-800' : 'bg-ink-50 text-ink-600',
        className,
      )}
    >
      <bdi dir="ltr">{badgeText(value, count)}</bdi>
    </span>
  );
}

/** Marks a list with requests that the user has not seen. */
const dot = (
  <span data-buzz className="size-2.5 shrink-0 rounded-full bg-red-600 ring-2 ring-white" />
);

const iconStyle = 'shrink-0 text-ink-500';

interface BellMarksProps {
  total: number;
  hasBuzz: boolean;
  unread: number;
  isPaused: boolean;
}

/** The number and the dots on the bell. */
function BellMarks({ total, hasBuzz, unread, isPaused }: BellMarksProps) {
  return (
    <>
      {total > 0 ? (
        <Badge value={total} className="absolute start-6.5 top-0.5 ring-2 ring-white" />
      ) : null}
      {hasBuzz ? (
        <span aria-hidden className="absolute start-7.5 bottom-2 flex">
          {dot}
        </span>
      ) : null}
      {unread > 0 && !isPaused ? (
        <span
          aria-hidden
          data-unread
          className="absolute inset-e-2 bottom-2 size-2.5 rounded-full bg-primary ring-2 ring-white"
        />
      ) : null}
      {isPaused ? (
        <span
          aria-hidden
          className="absolute inset-e-1 bottom-1.5 flex rounded-full bg-white p-0.5 text-ink-500"
        >
          <CloudOff size={14} />
        </span>
      ) : null}
    </>
  );
}

// The number is read again when the user comes back to the tab, but not for each of several pages
// that are opened one after the other.
const unreadStaleMs = 5000;

/** How many notifications of the user are unread; 0 where another part shows them. */
export function useUnread(isShown = true): number {
  const { data } = useCall(getNotifications, {
    query: { Take: 20 },
    skipErrorHandling: true,
    enabled: isShown,
    staleTime: unreadStaleMs,
  });
  // The part that shows them shares its reply.
  return isShown ? (data?.unreadCount ?? 0) : 0;
}

/** The live numbers of requests in the lists of the staff. Source: specification §4, §6, §9. */
export function Bell() {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const { state, buzz, arrivals } = useLiveCounts();
  const counts = useRequestCounts() ?? { new: 0, processing: 0 };
  const total = counts.new + counts.processing;
  const unread = useUnread();
  const [isReading, setIsReading] = useState(false);
  const { component: Panel, load } = useLazyComponent(
    async () => (await import('./notifications-panel.tsx')).NotificationsPanel,
  );
  const choose = (id: string) => {
    if (id === 'retry') retryLiveConnection();
    else if (id === 'notifications') load(() => setIsReading(true));
    else clearBuzz(id as CountName);
  };
  const isPaused = state === 'disconnected' || state === 'reconnecting';
  // A user who opens a list has seen its new requests.
  useEffect(() => lists.forEach(({ name, to }) => to === pathname && clearBuzz(name)), [pathname]);

  const texts = lists.map(({ name }) => t(`bell.${name}`, { count: counts[name] }));
  // The number is that of the requests, the dot of the same colour as in the menu is the unread ones.
  const explanation = [...texts, ...(unread > 0 ? [t('bell.unread', { count: unread })] : [])].join(
    t('listSeparator'),
  );
  return (
    <div data-live={state} title={explanation} className="animate-bell">
      <HeaderMenu
        label={t('bell.title')}
        className={classNames(
          'relative inline-flex size-12 items-center justify-center rounded-md text-ink-700',
          'hover:bg-ink-50 active:bg-ink-100',
        )}
        items={[
          ...lists.map(({ name, to }) => ({
            id: name,
            text: t(`navigation.${name}Requests`),
            href: to,
            isCurrent: to === pathname,
            end: (
              <span className="ms-auto inline-flex items-center gap-3 ps-3">
                {buzz[name] ? dot : null}
                <Badge value={counts[name]} />
                <span className="sr-only">{t('requestsCount', { count: counts[name] })}</span>
              </span>
            ),
          })),
          {
            id: 'notifications',
            text: t('bell.notifications'),
            end: (
              <span className="ms-auto inline-flex items-center ps-3">
                {unread > 0 ? <span className="me-3 size-2.5 rounded-full bg-primary" /> : null}
                <Badge value={unread} />
                <span className="sr-only">{t('bell.unread', { count: unread })}</span>
              </span>
            ),
          },
          ...(isPaused
            ? [
                {
                  id: 'retry',
                  text: t('live.retry'),
                  icon: <RefreshCw aria-hidden size={18} className={iconStyle} />,
                },
              ]
            : []),
        ]}
        onChoose={choose}
        heading={
          <LiveState state={state} className="mb-1 max-w-70 border-b border-ink-100 px-3 py-2" />
        }
      >
        <span key={arrivals} aria-hidden className={arrivals > 0 ? 'motion-safe:animate-buzz' : ''}>
          <BellIcon size={24} />
        </span>
        <BellMarks
          total={total}
          hasBuzz={buzz.new || buzz.processing}
          unread={unread}
          isPaused={isPaused}
        />
        <span className="sr-only">
          <span>{t('bell.label', { counts: texts.join(t('listSeparator')) })}</span>
          <span>
            {unread > 0 ? t('listSeparator') + t('bell.unread', { count: unread }) : null}
          </span>
          <span>{isPaused ? t('listSeparator') + t('live.paused') : null}</span>
        </span>
      </HeaderMenu>
      {Panel ? (
        <Suspense fallback={null}>
          <Panel isOpen={isReading} onClose={() => setIsReading(false)} />
        </Suspense>
      ) : null}
      <BellAnnouncement text={texts.join(t('listSeparator'))} arrivals={arrivals} />
    </div>
  );
}
