import { ChevronDown, Globe, LogIn, Menu, Phone } from 'lucide-react';
import { useState } from 'react';
import { storeReturnUrl, useSession, type Session } from '#lib/api/session.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { configuration } from '#lib/browser/configuration.ts';
import { currentAddress } from '#lib/browser/navigation.ts';
import { useToastHistory } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLazyComponent, useLoadedComponent } from '#lib/page/lazy-component.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation } from '#lib/router/router-provider.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { PortalLogo } from '#ui/theme/portal-logo.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { isStaff, publicItemsFor } from '../navigation/navigation-items.ts';
import { NavigationLink } from '../navigation/navigation-link.tsx';
import { HeaderMenu } from './header-menu.tsx';

/** The line above the header, as on other government sites: the kind of site and its phone. */
function TopStrip() {
  const { t } = useTranslation('shell');
  const { language } = useLanguage();
  const { supportPhone, banner } = configuration();
  return (
    <div
      className={classNames(
        'border-b border-ink-100 bg-desert-50 text-sm text-ink-600',
        // What the portal has to say is for phones too.
        !banner && 'hidden lg:block',
      )}
    >
      <div className="page flex min-h-10 items-center justify-between gap-6 max-lg:py-1">
        <p>{banner?.[language] ?? t('portal')}</p>
        {supportPhone ? (
          <a
            href={`tel:${supportPhone.replaceAll(' ', '')}`}
            className="hidden items-center gap-2 py-1 hover:text-ink-900 hover:underline lg:inline-flex"
          >
            <Phone aria-hidden size={16} />
            {t('support')} <Reference>{supportPhone}</Reference>
          </a>
        ) : null}
      </div>
    </div>
  );
}

/** `isSmall`: one line, as in the frame of staff. */
function Wordmark({ isSmall }: { isSmall: boolean }) {
  const { t } = useTranslation('shell');
  const home = useHomeAddress();
  const name = t('wordmark');
  return (
    <Link
      to={home}
      className={classNames(
        'flex min-h-12 min-w-0 items-center gap-3 text-ink-900 no-underline',
        // On a phone the name has the room that the controls leave, in one row with them.
        'min-[22rem]:max-sm:grow min-[22rem]:max-sm:basis-24',
        !isSmall && 'lg:py-2',
      )}
    >
      <PortalLogo className={isSmall ? 'size-9' : 'size-10 md:size-11'} />
      <span className="flex flex-col max-[22rem]:sr-only in-data-signed-in:max-[24rem]:sr-only">
        <span
          className={classNames(
            'font-heading leading-tight font-bold rtl:leading-(--leading-control)',
            // A long name has two lines on a phone, and fits into the one line of the staff frame.
            name.length <= 12
              ? 'text-xl'
              : name.length > 28 && isSmall
                ? 'line-clamp-2 max-w-64 text-sm'
                : 'text-sm sm:text-base xl:text-xl',
          )}
        >
          <span className="line-clamp-3 sm:hidden">{t('shortName')}</span>
          <span className="max-sm:hidden">{name}</span>
        </span>
        {isSmall ? null : (
          <span className="hidden text-sm leading-tight text-ink-500 lg:block rtl:leading-(--leading-control)">
            {t('portal')}
          </span>
        )}
      </span>
    </Link>
  );
}

/** The button of the side menu. The code of the menu loads on the first approach. */
function SideMenu() {
  const { t } = useTranslation('shell');
  const [isOpen, setIsOpen] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const hasMessages = useToastHistory().length > 0;
  const openHistory = () => {
    setIsOpen(false);
    setIsHistoryOpen(true);
  };
  const {
    component: Panel,
    preload,
    load,
  } = useLazyComponent(
    async () => (await import('../navigation/side-menu-panel.tsx')).SideMenuPanel,
  );
  return (
    <div className="-ms-2" onPointerEnter={preload}>
      <IconButton
        label={t('openMenu')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => load(() => setIsOpen(true))}
      >
        <Menu aria-hidden size={26} />
      </IconButton>
      {Panel ? (
        <Panel
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          onHistory={hasMessages ? openHistory : undefined}
        />
      ) : null}
      {hasMessages ? (
        <MessageHistoryLoader isOpen={isHistoryOpen} onClose={() => setIsHistoryOpen(false)} />
      ) : null}
    </div>
  );
}

const languageOrder: readonly Language[] = ['en-US', 'ar-EG', 'ur-PK'];

/** Each language has its own name in its own script. */
function LanguageMenu({ isDesk }: { isDesk: boolean }) {
  const { t } = useTranslation('shell');
  const { language, setLanguage } = useLanguage();
  const session = useSession();
  const choose = (chosen: Language) => {
    const change = session?.isServiceProvider
      ? import('./store-language.ts').then((module) =>
          module.changeSupervisorLanguageAndReload(session, chosen),
        )
      : setLanguage(chosen);
    void change.catch(() => setLanguage(chosen));
    if (session && !session.isServiceProvider)
      void import('./store-language.ts').then(
        (module) => module.storeUserLanguage(chosen),
        () => undefined,
      );
  };
  return (
    <HeaderMenu
      label={t('chooseLanguage')}
      selected={language}
      items={languageOrder.map((each) => ({ id: each, text: t(`languages.${each}`), lang: each }))}
      onChoose={(id) => choose(languages.find((each) => each === id) ?? language)}
      className={classNames(
        'inline-flex min-h-11 items-center gap-2 rounded-md px-2 leading-(--leading-control)',
        'font-medium text-ink-700 hover:bg-ink-50 hover:text-ink-900 active:bg-ink-100',
        'lg:min-h-9',
      )}
    >
      <Globe aria-hidden size={20} className="shrink-0" />
      <span className="sr-only">{t('chooseLanguage')}</span>
      <span className={isDesk ? 'max-2xl:sr-only' : 'max-sm:sr-only'}>
        {t(`languages.${language}`)}
      </span>
      <ChevronDown aria-hidden size={16} className="shrink-0 max-sm:hidden" />
    </HeaderMenu>
  );
}

function LoginButton() {
  const { t } = useTranslation('shell');
  const storeAddress = () => {
    if (!window.location.pathname.startsWith('/account')) storeReturnUrl(currentAddress());
  };
  return (
    <LinkButton
      to="/account/login"
      onClick={storeAddress}
      size="sm"
      variant="secondary"
      icon={<LogIn aria-hidden size={18} className="mirror max-sm:hidden" />}
    >
      {t('login')}
    </LinkButton>
  );
}

const linkStyle =
  'flex min-h-12 items-center gap-2 border-b-3 border-transparent font-semibold whitespace-nowrap ' +
  'text-ink-700 no-underline transition-colors duration-150 ' +
  'hover:border-gold-300 hover:text-ink-900 aria-[current=page]:border-primary aria-[current=page]:text-gold-700';

/** Loaded after the first page, where nobody is signed in (specification §2). */
function SignedInLinksLoader({ session, isDesk }: { session: Session; isDesk: boolean }) {
  const { component: Links } = useLoadedComponent(
    async () => (await import('./signed-in-links.tsx')).SignedInLinks,
  );
  return Links ? <Links session={session} className={linkStyle} isDesk={isDesk} /> : null;
}

/**
 * The links of the header on wide screens, for staff their work first. In the frame of staff the
 * others are in the side menu.
 */
function MainNavigation({ isDesk }: { isDesk: boolean }) {
  const { t } = useTranslation('shell');
  const session = useSession();
  const links = session ? <SignedInLinksLoader session={session} isDesk={isDesk} /> : null;
  const isWorkFirst = isStaff(session);
  return (
    <nav
      aria-label={t('mainNavigation')}
      className={isDesk ? 'hidden xl:block' : 'hidden lg:block'}
    >
      <ul
        className={classNames(
          'flex',
          isDesk ? 'ms-2 gap-x-3 2xl:gap-x-5' : 'flex-wrap gap-x-5 xl:gap-x-6',
        )}
      >
        {isWorkFirst ? links : null}
        {isDesk
          ? null
          : publicItemsFor(session).map((item) => (
              <li key={item.to}>
                <NavigationLink item={item} className={linkStyle} />
              </li>
            ))}
        {isWorkFirst ? null : links}
      </ul>
    </nav>
  );
}

/** Loaded after the first page, where nobody is signed in; a gap reserves its space. */
function SignedInHeaderLoader({ session }: { session: Session }) {
  const { component: SignedIn } = useLoadedComponent(
    async () => (await import('./signed-in-header.tsx')).SignedInHeader,
  );
  return SignedIn ? <SignedIn session={session} /> : <span className="size-12" />;
}

/** Loaded with the first message. */
function MessageHistoryLoader(props: { isOpen: boolean; onClose: () => void }) {
  const { component: History } = useLoadedComponent(
    async () => (await import('./message-history.tsx')).MessageHistory,
  );
  return History ? <History {...props} /> : null;
}

// The pages on which staff work.
const deskPaths =
  /^\/(requests\/(new|processing|all|request-details|counter|saved-texts)|dash-?board|reports|partner)/i;

/** On the pages of staff one line of 56 px. */
export function Header() {
  const session = useSession();
  const { pathname } = useLocation();
  const isDesk = isStaff(session) && deskPaths.test(pathname);
  return (
    <header
      data-signed-in={session ? '' : undefined}
      data-desk={isDesk || undefined}
      className="border-t-4 border-primary bg-white"
    >
      {isDesk ? null : <TopStrip />}
      <div className="border-b border-ink-100">
        <div
          className={classNames(
            'page flex items-center gap-x-1 sm:gap-x-2',
            isDesk ? 'h-[51px] max-w-none!' : 'min-h-16 flex-wrap lg:min-h-20 lg:gap-x-4',
          )}
        >
          <SideMenu />
          <Wordmark isSmall={isDesk} />
          {isDesk ? <MainNavigation isDesk /> : null}
          <div className="ms-auto flex items-center sm:gap-3">
            <LanguageMenu isDesk={isDesk} />
            {session ? <SignedInHeaderLoader session={session} /> : <LoginButton />}
          </div>
        </div>
        {isDesk ? null : (
          <div className="page">
            <MainNavigation isDesk={false} />
          </div>
        )}
      </div>
    </header>
  );
}
