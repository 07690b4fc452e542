import { ChevronDown, Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { useLanguage } from '../../lib/i18n/language.ts';
import { useSession } from '../../lib/api/session.ts';
import { HeaderMenu } from './header-menu.tsx';

const order: readonly Language[] = ['en-US', 'ar-EG', 'ur-PK'];

/** Each language by its own name, in its own script. */
export function LanguageMenu() {
  const { t } = useTranslation('shell');
  const { language, setLanguage } = useLanguage();
  const session = useSession();
  const choose = (chosen: Language) => {
    const change = session?.isServiceProvider
      ? import('./supervisor-language.ts').then((part) =>
          part.chooseSupervisorLanguage(session, chosen),
        )
      : setLanguage(chosen);
    void change.catch(() => setLanguage(chosen));
    if (session && !session.isServiceProvider)
      void import('./own-language.ts').then(
        (part) => part.keepOwnLanguage(chosen),
        () => undefined,
      );
  };
  return (
    <HeaderMenu
      label={t('chooseLanguage')}
      selected={language}
      items={order.map((each) => ({ id: each, text: t(`languages.${each}`), lang: each }))}
      onChoose={(id) => choose(languages.find((each) => each === id) ?? language)}
      className="inline-flex min-h-11 items-center gap-2 rounded-md px-2 leading-(--leading-control) font-medium text-ink-700 hover:bg-ink-50 hover:text-ink-900 active:bg-ink-100 lg:min-h-9"
    >
      <Globe aria-hidden size={20} className="shrink-0" />
      <span className="sr-only">{t('chooseLanguage')}</span>
      <span className="max-sm:sr-only">{t(`languages.${language}`)}</span>
      <ChevronDown aria-hidden size={16} className="shrink-0 max-sm:hidden" />
    </HeaderMenu>
  );
}
