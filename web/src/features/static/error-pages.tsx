import type { ReactNode } from 'react';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { LinkButton } from '#ui/actions/links.tsx';
import { Star } from '#ui/theme/star.tsx';

/** The layout of an error page: title, message, explanation and links. */
function ErrorPageLayout({
  title,
  message,
  text,
  children,
}: {
  title: string;
  message: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <div className="page py-12 md:py-20">
      <span className="text-gold-500">
        <Star size={104} />
      </span>
      <h1 className="mt-6 text-2xl">{title}</h1>
      <p className="mt-3 max-w-form text-lg">{message}</p>
      <p className="mt-2 max-w-form text-ink-600">{text}</p>
      <div className="mt-8 flex flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}

/** The message is `NotFound` of the error catalogue (specification §2). */
export function NotFoundPage() {
  const { t } = useTranslation('static');
  const home = useHomeAddress();
  const { t: errors } = useTranslation('errors');
  usePageTitle(t('notFound.title'));
  return (
    <ErrorPageLayout
      title={t('notFound.title')}
      message={errors('refusals.NotFound')}
      text={t('notFound.text')}
    >
      <LinkButton to={home}>{t('notFound.home')}</LinkButton>
      <LinkButton to="/services" variant="secondary">
        {t('notFound.services')}
      </LinkButton>
      <LinkButton to="/sitemap.xml" variant="quiet">
        {t('notFound.sitemap')}
      </LinkButton>
    </ErrorPageLayout>
  );
}

/** The message is `InternalServerError` of the error catalogue (specification §2). */
export function ServerErrorPage() {
  const { t } = useTranslation('static');
  const home = useHomeAddress();
  const { t: errors } = useTranslation('errors');
  usePageTitle(t('serverError.title'));
  return (
    <ErrorPageLayout
      title={t('serverError.title')}
      message={errors('refusals.InternalServerError')}
      text={t('serverError.text')}
    >
      <LinkButton to={home}>{t('serverError.home')}</LinkButton>
      <LinkButton to="/requests/inquiry" variant="secondary">
        {t('serverError.inquiry')}
      </LinkButton>
      <LinkButton to="/status" variant="quiet">
        {t('serverError.status')}
      </LinkButton>
    </ErrorPageLayout>
  );
}
