import { Fingerprint } from 'lucide-react';
import { addressOf } from '#lib/api/fetch-call.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { buttonStyle } from '#ui/actions/button.tsx';
import { beginUAEPass } from '@diwan/contract/people/users';

/**
 * A plain link, because the browser leaves the portal. UAE PASS supports Arabic and English only.
 * Source: specification §7.
 */
export function UAEPassLink() {
  const { t } = useTranslation('users');
  const { language } = useLanguage();
  return (
    <a
      href={addressOf(beginUAEPass.path, {
        query: { ui_locales: language === 'ar-EG' ? 'ar' : 'en' },
      })}
      className={buttonStyle('primary', 'lg', true)}
    >
      <Fingerprint aria-hidden size={26} className="shrink-0" />
      <span>{t('identity.signIn')}</span>
    </a>
  );
}
