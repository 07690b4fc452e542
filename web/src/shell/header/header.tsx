import { Phone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { configuration } from '../../lib/browser/configuration.ts';
import { useLatePartNow } from '../../lib/page/late-part.ts';
import { useSession, type Session } from '../../lib/api/session.ts';
import { useToastHistory } from '../../lib/browser/toasts.ts';
import { Reference } from '../../ui/values/reference.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { LoginButton } from './login-button.tsx';
import { MainNavigation } from '../navigation/main-navigation.tsx';
import { SideMenu } from '../navigation/side-menu.tsx';
import { Wordmark } from './wordmark.tsx';

/** The line over the header that sites of the government have: what this is, and whom to call. */
function TopStrip() {
  const { t } = useTranslation('shell');
  const { supportPhone } = configuration();
  return (
    <div className="hidden border-b border-ink-100 bg-desert-50 text-sm text-ink-600 lg:block">
      <div className="page flex min-h-10 items-center justify-between gap-6">
        <p>{t('strip')}</p>
        {supportPhone ? (
          <a
            href={`tel:${supportPhone.replaceAll(' ', '')}`}
            className="inline-flex items-center gap-2 py-1 hover:text-ink-900 hover:underline"
          >
            <Phone aria-hidden size={16} />
            {t('support')} <Reference>{supportPhone}</Reference>
          </a>
        ) : null}
      </div>
    </div>
  );
}

/**
 * Nobody is signed in where the portal is opened (specification §2), so its code does not come with
 * the first page; its place is kept.
 */
function LateOwnHeader({ session }: { session: Session }) {
  const { part: Own } = useLatePartNow(async () => (await import('./own-header.tsx')).OwnHeader);
  return Own ? <Own session={session} /> : <span className="size-12" />;
}

/** Comes with the first message. */
function LateMessages() {
  const { part: History } = useLatePartNow(
    async () => (await import('./message-history.tsx')).MessageHistory,
  );
  return History ? <History /> : null;
}

export function Header() {
  const session = useSession();
  const hasMessages = useToastHistory().length > 0;
  return (
    <header
      data-signed-in={session ? '' : undefined}
      className="border-t-4 border-primary bg-white"
    >
      <TopStrip />
      <div className="border-b border-ink-100">
        <div className="page flex min-h-16 flex-wrap items-center gap-x-1 sm:gap-x-2 lg:min-h-20 lg:gap-x-4">
          <SideMenu />
          <Wordmark isNarrow={hasMessages && !session} />
          <div className="ms-auto flex items-center sm:gap-3">
            {hasMessages ? <LateMessages /> : null}
            <LanguageMenu />
            {session ? <LateOwnHeader session={session} /> : <LoginButton />}
          </div>
        </div>
        <div className="page">
          <MainNavigation />
        </div>
      </div>
    </header>
  );
}
