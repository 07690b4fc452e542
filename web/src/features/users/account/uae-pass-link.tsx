import { Fingerprint } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { beginUAEPass } from '@diwan/contract/people/users';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { addressOf } from '../../../lib/api/transmit.ts';
import { buttonStyle } from '../../../ui/actions/button-style.ts';

/**
 * Leads the browser itself away, so it is a plain link. UAE PASS speaks Arabic and English only.
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
