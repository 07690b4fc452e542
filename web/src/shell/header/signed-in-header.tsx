import {
  Bell as BellIcon,
  CloudOff,
  ChevronDown,
  KeyRound,
  LogOut,
  RefreshCw,
  Search,
  TextQuote,
  UserRound,
} from 'lucide-react';
import { Suspense, use, useEffect, useRef, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useLocation, useNavigate } from '../../lib/router/router-provider.tsx';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { languages } from '@diwan/contract/wire/languages';
import { useCall } from '../../lib/api/use-call.ts';
import { hasRole, hasStoredOwnToken, type Session } from '../../lib/api/session.ts';
import { leaveAndSignOut } from '../../lib/auth/sign-out.ts';
import { classNames } from '../../lib/browser/class-names.ts';
import { loadItem, pushOwnerKey } from '../../lib/browser/storage.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { setLanguage } from '../../lib/i18n/language.ts';
import { languageStorageKey } from '../../lib/i18n/stored-language.ts';
import { useTranslation } from '../../lib/i18n/translate.ts';
import {
  clearBuzz,
  retryLiveConnection,
  startLiveCounts,
  useLiveCounts,
  type CountName,
} from '../../lib/live/live-counts.ts';
import { useLazyComponent } from '../../lib/page/lazy-component.ts';
import { IconButton } from '../../ui/actions/icon-button.tsx';
import { LiveState } from '../../ui/feedback/live-state.tsx';
import { badgeText, useRequestCounts } from '../navigation/request-counts.ts';
import { canSee } from '../navigation/visibility.ts';
import { ChangePasswordContext } from './change-password-context.ts';
import { HeaderMenu } from './header-menu.tsx';
import { initialsOf } from './initials.ts';

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

function Badge({ value, className }: { value: number; className?: string }) {
  const { count } = useFormat();
  return (
    <bdi
      dir="ltr"
      aria-hidden
      data-badge
      className={classNames(
        'inline-flex min-w-6 items-center justify-center rounded-full px-1.5 text-sm',
        'leading-5.5 font-semibold tabular-nums',
        value > 0 ? 'bg-amber-100 text-amber-800' : 'bg-ink-50 text-ink-600',
        className,
      )}
    >
      {badgeText(value, count)}
    </bdi>
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

/** The live numbers of requests in the lists of the staff. Source: specification §4, §6, §9. */
function Bell() {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const { state, buzz, arrivals } = useLiveCounts();
  const counts = useRequestCounts() ?? { new: 0, processing: 0 };
  const total = counts.new + counts.processing;
  const unread =
    useCall(getNotifications, { query: { Take: 20 }, skipErrorHandling: true }).data?.unreadCount ??
    0;
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
  return (
    <div data-live={state} className="animate-bell">
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
          {t('bell.label', { counts: texts.join(t('listSeparator')) })}
          {unread > 0 ? t('listSeparator') + t('bell.unread', { count: unread }) : null}
          {isPaused ? t('listSeparator') + t('live.paused') : null}
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

/** Without a choice in this browser, the language that the supervisor chose elsewhere applies. */
function useStoredUserLanguage({ language }: Session): void {
  useEffect(() => {
    const own = languages.find((known) => known === language);
    if (own && loadItem('local', languageStorageKey) === null) void setLanguage(own);
  }, [language]);
}

/** Where somebody has turned messages on in this browser, they go on for the user of now alone. */
function useOwnPush({ ssid }: Session): void {
  useEffect(() => {
    if (ssid === '' || loadItem('local', pushOwnerKey) === null || hasStoredOwnToken()) return;
    import('../../lib/api/web-push.ts')
      .then(({ readPushState }) => readPushState())
      .catch(() => undefined);
  }, [ssid]);
}

function UserMenu({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [isChanging, setIsChanging] = useState(false);
  const { component: Dialog, preload, load } = useLazyComponent(use(ChangePasswordContext));
  useStoredUserLanguage(session);
  useOwnPush(session);
  // Subscribes react-aria to changes of the language: `lib/i18n/react-aria-locale.ts`.
  const { direction } = useLocale();
  const isChangeShown = canSee(session, 'changePassword');
  // Leaves the page first: a page that needs a session must not query the server without it.
  const goHome = async () => {
    await leaveAndSignOut(async () => navigate('/home', { flushSync: true }));
    showToast(t('loggedOut'), 'success');
  };
  const choose = (id: string) => {
    if (id === 'leave') void goHome();
    if (id === 'changePassword') load(() => setIsChanging(true));
  };
  return (
    <span className="contents" onPointerEnter={isChangeShown ? preload : undefined}>
      <HeaderMenu
        label={t('userMenu')}
        onChoose={choose}
        items={[
          ...(canSee(session, 'profile')
            ? [
                {
                  id: 'profile',
                  text: t('profile'),
                  href: '/account/profile',
                  icon: <UserRound aria-hidden size={18} className={iconStyle} />,
                },
              ]
            : []),
          ...(canSee(session, 'savedTexts')
            ? [
                {
                  id: 'savedTexts',
                  text: t('savedTexts'),
                  href: '/requests/saved-texts',
                  icon: <TextQuote aria-hidden size={18} className={iconStyle} />,
                },
              ]
            : []),
          ...(isChangeShown
            ? [
                {
                  id: 'changePassword',
                  text: t('changePassword'),
                  icon: <KeyRound aria-hidden size={18} className={iconStyle} />,
                },
              ]
            : []),
          {
            id: 'leave',
            text: t('logout'),
            icon: <LogOut aria-hidden size={18} className={`mirror ${iconStyle}`} />,
          },
        ]}
        heading={
          <div className="mb-1 max-w-72 min-w-58 border-b border-ink-100 px-3 py-2">
            <p className="font-semibold">
              <bdi>{session.fullName}</bdi>
            </p>
            <p className="text-sm text-ink-500">
              {session.roles.map((role) => t(`roles.${role}`)).join(t('listSeparator'))}
            </p>
          </div>
        }
        className={classNames(
          'inline-flex min-h-12 min-w-11 items-center gap-2 rounded-md px-1',
          'leading-(--leading-control) font-semibold text-ink-800 hover:bg-ink-50',
          'active:bg-ink-100',
        )}
      >
        <span
          aria-hidden
          className={classNames(
            'flex size-10 shrink-0 items-center justify-center rounded-full bg-gold-100 text-sm',
            'leading-none text-gold-800',
          )}
        >
          {initialsOf(session.fullName, direction) ?? <UserRound size={20} />}
        </span>
        <span className="sr-only">{t('userMenu')}</span>
        <bdi className="max-w-48 truncate max-md:sr-only in-data-desk:max-2xl:sr-only">
          {session.fullName}
        </bdi>
        <ChevronDown aria-hidden size={16} className="shrink-0 text-ink-500 max-md:hidden" />
      </HeaderMenu>
      {Dialog ? (
        <Suspense fallback={null}>
          <Dialog isOpen={isChanging} onClose={() => setIsChanging(false)} />
        </Suspense>
      ) : null}
    </span>
  );
}

/** Ctrl-K, on a Mac Cmd-K, by the place of the key: an Arabic keyboard types another letter there. */
const isPaletteKey = (event: KeyboardEvent) =>
  event.code === 'KeyK' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;

/** The button and the keys of the search of everything. Its code loads on the first approach. */
function PaletteButton({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const [isOpen, setIsOpen] = useState(false);
  const {
    component: Palette,
    preload,
    load,
  } = useLazyComponent(async () => (await import('./command-palette.tsx')).CommandPalette);
  const open = useRef(() => load(() => setIsOpen(true)));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      open.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <span className="contents" onPointerEnter={preload}>
      <IconButton
        label={t('findAnything')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPress={() => open.current()}
      >
        <Search aria-hidden size={24} />
      </IconButton>
      {Palette ? (
        <Suspense fallback={null}>
          <Palette session={session} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </span>
  );
}

/** Listens to the events of requests, for those who see their numbers. */
function LiveConnection({ session }: { session: Session }) {
  const isSupervisor = hasRole(session, 'ServiceProvider') && session.partnerId !== undefined;
  const listener = isSupervisor ? 'supervisor' : 'staff';
  const userId = session.ssid;
  useEffect(() => startLiveCounts({ userId, listener }), [userId, listener]);
  return null;
}

/** The part of the header for a signed-in user. */
export function SignedInHeader({ session }: { session: Session }) {
  const isListening = canSee(session, 'bell') || canSee(session, 'requestLists');
  // The session id remains the same when the token is refreshed, and so does the connection to the
  // hubs. Another user gets a new one.
  return (
    <>
      {isListening ? <LiveConnection key={session.ssid} session={session} /> : null}
      {canSee(session, 'palette') ? <PaletteButton session={session} /> : null}
      {canSee(session, 'bell') ? <Bell /> : null}
      <UserMenu session={session} />
    </>
  );
}
