import { LogIn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currentAddress } from '../../lib/browser/navigation.ts';
import { keepReturnUrl } from '../../lib/api/session.ts';
import { LinkButton } from '../../ui/actions/link-button.tsx';

export function LoginButton() {
  const { t } = useTranslation('shell');
  const remember = () => {
    if (!window.location.pathname.startsWith('/account')) keepReturnUrl(currentAddress());
  };
  return (
    <LinkButton
      to="/account/login"
      onClick={remember}
      size="sm"
      variant="secondary"
      icon={<LogIn aria-hidden size={18} className="mirror max-sm:hidden" />}
    >
      {t('login')}
    </LinkButton>
  );
}
