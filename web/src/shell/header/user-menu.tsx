import { ChevronDown, KeyRound, LogOut, UserRound } from 'lucide-react';
import { Suspense, use, useEffect, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { languages } from '@diwan/contract/wire/languages';
import { recall } from '../../lib/browser/browser-memory.ts';
import { setLanguage } from '../../lib/i18n/language.ts';
import { useLatePart } from '../../lib/page/late-part.ts';
import type { Session } from '../../lib/api/session.ts';
import { leave } from '../../lib/auth/sign-out.ts';
import { languageStorageKey } from '../../lib/i18n/stored-language.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { ChangePassword } from './change-password.ts';
import { HeaderMenu } from './header-menu.tsx';
import { initialsOf } from './initials.ts';
import { sees } from '../navigation/visibility.ts';

/**
 * A browser in which nobody has chosen a language yet takes what the supervisor chose elsewhere.
 */
function useOwnLanguage({ language }: Session): void {
  useEffect(() => {
    const own = languages.find((known) => known === language);
    if (own && recall('local', languageStorageKey) === null) void setLanguage(own);
  }, [language]);
}

const icon = 'shrink-0 text-ink-500';

export function UserMenu({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [isChanging, setIsChanging] = useState(false);
  const { part: Dialog, prepare, whenHere } = useLatePart(use(ChangePassword));
  useOwnLanguage(session);
  // Keeps react-aria listening for another language: `lib/react-aria-locale.ts`.
  useLocale();
  const isChangeShown = sees(session, 'changePassword');
  // The page is left first: one that needs a session must not ask the server again without it.
  const goHome = async () => {
    await navigate('/home', { flushSync: true });
    leave();
    showToast(t('loggedOut'), 'success');
  };
  const choose = (id: string) => {
    if (id === 'leave') void goHome();
    if (id === 'changePassword') whenHere(() => setIsChanging(true));
  };
  return (
    <span className="contents" onPointerEnter={isChangeShown ? prepare : undefined}>
      <HeaderMenu
        label={t('userMenu')}
        onChoose={choose}
        items={[
          ...(sees(session, 'profile')
            ? [
                {
                  id: 'profile',
                  text: t('profile'),
                  href: '/account/profile',
                  icon: <UserRound aria-hidden size={18} className={icon} />,
                },
              ]
            : []),
          ...(isChangeShown
            ? [
                {
                  id: 'changePassword',
                  text: t('changePassword'),
                  icon: <KeyRound aria-hidden size={18} className={icon} />,
                },
              ]
            : []),
          {
            id: 'leave',
            text: t('logout'),
            icon: <LogOut aria-hidden size={18} className={`mirror ${icon}`} />,
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
        className="inline-flex min-h-12 min-w-11 items-center gap-2 rounded-md px-1 leading-(--leading-control) font-semibold text-ink-800 hover:bg-ink-50 active:bg-ink-100"
      >
        <span
          aria-hidden
          className="flex size-10 shrink-0 items-center justify-center rounded-full bg-gold-100 text-sm leading-none text-gold-800"
        >
          <bdi>{initialsOf(session.fullName)}</bdi>
        </span>
        <span className="sr-only">{t('userMenu')}</span>
        <bdi className="max-w-48 truncate max-md:sr-only">{session.fullName}</bdi>
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
