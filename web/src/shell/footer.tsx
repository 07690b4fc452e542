import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { clientVersion, configuration } from '../lib/configuration.ts';
import { Reference } from '../ui/reference.tsx';

const year = new Date().getFullYear();

const links = [
  { name: 'terms', to: '/terms-and-conditions' },
  { name: 'privacy', to: '/privacy-policy' },
  { name: 'accessibility', to: '/accessibility' },
] as const;

/** The second half goes below the first where text is large. */
const line = 'flex flex-wrap gap-x-4';

function Contact() {
  const { t } = useTranslation('shell');
  const { supportPhone, supportEmail } = configuration();
  return (
    <dl>
      {supportPhone ? <div className={line}><dt className="min-w-[6.5rem] py-1 text-ink-600">{t('support')}</dt><dd><a href={`tel:${supportPhone.replaceAll(' ', '')}`} className="link inline-block py-1"><Reference>{supportPhone}</Reference></a></dd></div> : null}
      {supportEmail ? <div className={line}><dt className="min-w-[6.5rem] py-1 text-ink-600">{t('email')}</dt><dd><a href={`mailto:${supportEmail}`} className="link inline-block py-1"><Reference>{supportEmail}</Reference></a></dd></div> : null}
    </dl>
  );
}

export function Footer() {
  const { t } = useTranslation('shell');
  return (
    <footer className="border-t border-ink-100 bg-desert-50 text-sm">
      <div className="page flex flex-col gap-6 py-8 md:flex-row md:items-start md:justify-between md:py-10">
        <div className="flex items-center gap-3">
          <img src="/favicon.svg" alt="" width={40} height={40} />
          <div>
            <p className="font-heading text-base font-bold">{t('wordmark')}</p>
            <p className="text-ink-600">{t('portal')}</p>
          </div>
        </div>
        <nav aria-label={t('footerNavigation')}>
          <ul className="flex flex-col">
            {links.map((link) => <li key={link.name}><Link to={link.to} className="link inline-block py-1">{t(`footer.${link.name}`)}</Link></li>)}
          </ul>
        </nav>
        <Contact />
      </div>
      <div className="border-t border-ink-100">
        <div className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-4 text-ink-600">
          <p>{t('copyright', { year })}</p>
          <p>{t('version')} <Reference>{clientVersion}</Reference></p>
        </div>
      </div>
    </footer>
  );
}
