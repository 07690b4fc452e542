import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page-title.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Star } from '../../ui/motif.tsx';

export function ServerErrorPage() {
  const { t } = useTranslation('static');
  usePageTitle(t('serverError.title'));
  return (
    <div className="page py-12 md:py-20">
      <span className="text-gold-500"><Star size={104} /></span>
      <h1 className="mt-6 text-2xl">{t('serverError.title')}</h1>
      <p className="mt-2 max-w-form text-ink-600">{t('serverError.text')}</p>
      <div className="mt-6"><LinkButton to="/home">{t('serverError.home')}</LinkButton></div>
    </div>
  );
}
