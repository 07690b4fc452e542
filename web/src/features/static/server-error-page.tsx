import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { NoPage } from './no-page.tsx';

/** Its message is InternalServerError of the error catalogue (specification §2). */
export function ServerErrorPage() {
  const { t } = useTranslation('static');
  const { t: errors } = useTranslation('errors');
  usePageTitle(t('serverError.title'));
  return (
    <NoPage
      title={t('serverError.title')}
      message={errors('refusals.InternalServerError')}
      text={t('serverError.text')}
    >
      <LinkButton to="/home">{t('serverError.home')}</LinkButton>
      <LinkButton to="/requests/inquiry" variant="secondary">
        {t('serverError.inquiry')}
      </LinkButton>
    </NoPage>
  );
}
