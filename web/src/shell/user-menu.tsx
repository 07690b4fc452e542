import { ChevronDown, LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Session } from '../lib/session.ts';
import { signOut } from '../lib/sign-out.ts';
import { showToast } from '../lib/toasts.ts';
import { HeaderMenu } from './header-menu.tsx';

/** Latin names give two letters; Arabic letters would join and read as a word, so they give one. */
function initialsOf(fullName: string): string {
  const words = fullName.trim().split(/\s+/);
  const first = words[0]?.[0] ?? '';
  return /[A-Za-z]/.test(first) ? `${first}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase() : first;
}

export function UserMenu({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  // The page is left first: one that needs a session must not ask the server again without it.
  const leave = async () => {
    await navigate('/home', { flushSync: true });
    signOut();
    showToast(t('loggedOut'), 'success');
  };
  return (
    <HeaderMenu
      label={t('userMenu')} items={[{ id: 'leave', text: t('logout'), icon: <LogOut aria-hidden size={18} className="mirror shrink-0 text-ink-500" /> }]} onChoose={() => void leave()}
      heading={
        <div className="mb-1 min-w-58 border-b border-ink-100 px-3 py-2">
          <p className="font-semibold"><bdi>{session.fullName}</bdi></p>
          <p className="text-sm text-ink-500">{session.roles.map((role) => t(`roles.${role}`)).join(t('listSeparator'))}</p>
        </div>
      }
      className="inline-flex min-h-12 min-w-11 items-center gap-2 rounded-md px-1 leading-(--leading-control) font-semibold text-ink-800 hover:bg-ink-50 active:bg-ink-100"
    >
      <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-full bg-gold-100 text-sm leading-none text-gold-800"><bdi>{initialsOf(session.fullName)}</bdi></span>
      <span className="sr-only">{t('userMenu')}</span>
      <bdi className="max-w-48 truncate max-md:sr-only">{session.fullName}</bdi>
      <ChevronDown aria-hidden size={16} className="shrink-0 text-ink-500 max-md:hidden" />
    </HeaderMenu>
  );
}
