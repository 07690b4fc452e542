import {
  Bell as BellIcon,
  ChevronDown,
  KeyRound,
  LogOut,
  Search,
  TextQuote,
  UserRound,
} from 'lucide-react';
import { Suspense, use, useEffect, useRef, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { startLiveCounts } from '#features/requests/live/live-counts.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { hasRole, hasStoredOwnToken, nameOf, type Session } from '#lib/api/session.ts';
import { leaveAndSignOut, saveBeforeSignOut } from '#lib/auth/sign-out-by-user.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { loadItem, pushOwnerKey } from '#lib/browser/storage.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { setLanguage, useLanguage } from '#lib/i18n/language.ts';
import { hasStoredLanguage } from '#lib/i18n/stored-language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLazyComponent } from '#lib/page/lazy-component.ts';
import { useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { pages } from '@diwan/contract/portal/pages';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { languages } from '@diwan/contract/wire/languages';
import { canSee } from '../navigation/visibility.ts';
import { Badge, Bell, useUnread } from './bell.tsx';
import { ChangePasswordContext } from './change-password-context.ts';
import type { HeaderMenuItem } from './header-menu-list.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { initialsOf } from './initials.ts';

const iconStyle = 'shrink-0 text-ink-500';

/** Without a choice in this browser, the language that the supervisor chose elsewhere applies. */
function useStoredUserLanguage({ language }: Session): void {
  useEffect(() => {
    const own = languages.find((known) => known === language);
    if (own && !hasStoredLanguage()) void setLanguage(own);
  }, [language]);
}

/** Where somebody has turned messages on in this browser, they continue only for the current user. */
function useOwnPush({ ssid }: Session): void {
  useEffect(() => {
    if (ssid === '' || loadItem('local', pushOwnerKey) === null || hasStoredOwnToken()) return;
    import('#lib/api/web-push.ts')
      .then(({ readPushState }) => readPushState())
      .catch(() => undefined);
  }, [ssid]);
}

/**
 * Pages without their own connection read the number of unread notifications again when the user
 * goes to another page; every page does when the user comes back to the tab (`query-client.ts`).
 */
function useFreshUnread(enabled: boolean): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const filter = { queryKey: [getNotifications.name], stale: true };
    if (enabled && pathname) void queryClient.refetchQueries(filter, { cancelRefetch: false });
  }, [enabled, pathname]);
}

/** What the menu of the user offers. */
function useUserMenuItems(
  session: Session,
  { isListed, unread }: { isListed: boolean; unread: number },
): HeaderMenuItem[] {
  const { t } = useTranslation('shell');
  return [
    ...(canSee(session, 'profile')
      ? [
          {
            id: 'profile',
            text: t('profile'),
            href: pages.profile.path,
            icon: <UserRound aria-hidden size={18} className={iconStyle} />,
          },
        ]
      : []),
    ...(isListed
      ? [
          {
            id: 'notifications',
            text: t('bell.notifications'),
            href: pages.notifications.path,
            icon: <BellIcon aria-hidden size={18} className={iconStyle} />,
            end: (
              <span className="ms-auto inline-flex items-center ps-3">
                <Badge value={unread} />
                <span className="sr-only">{t('bell.unread', { count: unread })}</span>
              </span>
            ),
          },
        ]
      : []),
    ...(canSee(session, 'savedTexts')
      ? [
          {
            id: 'savedTexts',
            text: t('savedTexts'),
            href: pages.savedTexts.path,
            icon: <TextQuote aria-hidden size={18} className={iconStyle} />,
          },
        ]
      : []),
    ...(canSee(session, 'changePassword')
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
  ];
}

function UserMenuHeading({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const { direction } = useLanguage();
  return (
    <div className="mb-1 max-w-72 min-w-58 border-b border-ink-100 px-3 py-2">
      <p className="font-semibold">
        <bdi>{nameOf(session, direction)}</bdi>
      </p>
      <p className="text-sm text-ink-500">
        {session.roles.map((role) => t(`roles.${role}`)).join(t('listSeparator'))}
      </p>
    </div>
  );
}

function UserMenu({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [isChanging, setIsChanging] = useState(false);
  const { component: Dialog, preload, load } = useLazyComponent(use(ChangePasswordContext));
  useStoredUserLanguage(session);
  useOwnPush(session);
  // Subscribes react-aria to changes of the language: `lib/i18n/react-aria-locale.ts`.
  useLocale();
  const { direction } = useLanguage();
  const name = nameOf(session, direction);
  const isChangeShown = canSee(session, 'changePassword');
  // Users with the bell have their notifications behind it.
  const isListed =
    canSee(session, 'notifications') && !canSee(session, 'bell') && !session.restriction;
  const unread = useUnread(isListed);
  useFreshUnread(isListed);
  const items = useUserMenuItems(session, { isListed, unread });
  // Leaves the page first: a page that needs a session must not query the server without it.
  const goHome = async (discardsDrafts: boolean) => {
    await leaveAndSignOut(async () => navigate('/home', { flushSync: true }), { discardsDrafts });
    showToast(t('loggedOut'), 'success');
  };
  const [isUnsaved, setIsUnsaved] = useState(false);
  const unsaved = useLazyComponent(
    async () => (await import('./unsaved-dialog.tsx')).UnsavedDialog,
  );
  const leave = async () => {
    if (await saveBeforeSignOut()) return goHome(false);
    unsaved.load(() => setIsUnsaved(true));
  };
  const choose = (id: string) => {
    if (id === 'leave') void leave();
    if (id === 'changePassword') load(() => setIsChanging(true));
  };
  return (
    <span className="contents" onPointerEnter={isChangeShown ? preload : undefined}>
      <HeaderMenu
        label={t('userMenu')}
        onChoose={choose}
        items={items}
        heading={<UserMenuHeading session={session} />}
        className={classNames(
          'relative inline-flex min-h-12 min-w-11 items-center gap-2 rounded-md px-1',

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
          {initialsOf(name, direction) ?? <UserRound size={20} />}
        </span>
        {unread > 0 ? (
          <Badge value={unread} className="absolute start-7 top-0 ring-2 ring-white" />
        ) : null}
        <span className="sr-only">
          {t('userMenu')}
          <span>
            {unread > 0 ? t('listSeparator') + t('bell.unread', { count: unread }) : null}
          </span>
        </span>
        <bdi className="max-w-48 truncate max-md:sr-only in-data-desk:max-2xl:sr-only">{name}</bdi>
        <ChevronDown aria-hidden size={16} className="shrink-0 text-ink-500 max-md:hidden" />
      </HeaderMenu>
      {Dialog ? (
        <Suspense fallback={null}>
          <Dialog isOpen={isChanging} onClose={() => setIsChanging(false)} />
        </Suspense>
      ) : null}
      {isUnsaved && unsaved.component ? (
        <Suspense fallback={null}>
          <unsaved.component
            onDiscard={() => void goHome(true)}
            onClose={() => setIsUnsaved(false)}
          />
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
  const isListening = canSee(session, 'bell') || canSee(session, 'newRequests');
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
