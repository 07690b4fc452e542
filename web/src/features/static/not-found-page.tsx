import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { NoPage } from './no-page.tsx';

/** Its message is NotFound of the error catalogue (specification §2). */
export function NotFoundPage() {
  const { t } = useTranslation('static');
  const { t: errors } = useTranslation('errors');
  usePageTitle(t('notFound.title'));
  return (
    <NoPage
      title={t('notFound.title')}
      message={errors('refusals.NotFound')}
      text={t('notFound.text')}
    >
      <LinkButton to="/home">{t('notFound.home')}</LinkButton>
      <LinkButton to="/services" variant="secondary">
        {t('notFound.services')}
      </LinkButton>
      <LinkButton to="/sitemap.xml" variant="quiet">
        {t('notFound.sitemap')}
      </LinkButton>
    </NoPage>
  );
}
