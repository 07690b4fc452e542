import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page-title.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Star } from '../../ui/motif.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('static');
  usePageTitle(t('notFound.title'));
  return (
    <div className="page py-12 md:py-20">
      <span className="text-gold-500"><Star size={104} /></span>
      <h1 className="mt-6 text-2xl">{t('notFound.title')}</h1>
      <p className="mt-2 max-w-form text-ink-600">{t('notFound.text')}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <LinkButton to="/home">{t('notFound.home')}</LinkButton>
        <LinkButton to="/services" variant="secondary">{t('notFound.services')}</LinkButton>
      </div>
    </div>
  );
}
