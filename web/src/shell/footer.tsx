import { pageList } from '@diwan/contract/portal/page-list';
import { useSession } from '../lib/api/session.ts';
import { classNames } from '../lib/browser/class-names.ts';
import { clientVersion, configuration } from '../lib/browser/configuration.ts';
import { useLanguage } from '../lib/i18n/language.ts';
import { useTranslation } from '../lib/i18n/translate.ts';
import { Link } from '../lib/router/link.tsx';
import { PortalLogo } from '../ui/theme/portal-logo.tsx';
import { ThemeSwitch } from '../ui/theme/theme-switch.tsx';
import { Reference } from '../ui/values/reference.tsx';
import { SupportEmail, SupportPhone } from '../ui/values/support-contact.tsx';

const year = new Date().getFullYear();

const links = pageList.filter(({ isInFooter }) => isInFooter);

/** Names with an icon in `social.svg`; others get a globe. The icons are in `theme.css`. */
const namesWithIcon = ['x', 'instagram', 'linkedin', 'youtube', 'facebook'];

/** The value wraps below the label where the text is large. */
const line = 'flex flex-wrap gap-x-4';

function SocialLinks({ className, size }: { className?: string; size: string }) {
  const { t } = useTranslation('shell');
  return (
    <ul aria-label={t('footer.social')} className={classNames('flex flex-wrap', className)}>
      {configuration().social.map(({ name, url }) => (
        <li key={url}>
          <a
            href={url}
            rel="noreferrer"
            aria-label={name}
            className={`inline-flex ${size} items-center justify-center rounded-md hover:bg-desert-100`}
          >
            <span
              aria-hidden
              data-icon={namesWithIcon.indexOf(name.toLowerCase())}
              className="social-icon size-5.5 shrink-0"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Cards({ height }: { height: string }) {
  const { t } = useTranslation('shell');
  return (
    <ul aria-label={t('footer.cards')} className="flex flex-wrap gap-2">
      {configuration().cards.map(({ name, logo }) => (
        <li key={name}>
          <img
            fetchPriority="low"
            src={logo}
            alt={name}
            width={64}
            height={40}
            loading="lazy"
            className={`${height} w-auto`}
          />
        </li>
      ))}
    </ul>
  );
}

function Contact() {
  const { t } = useTranslation('shell');
  const { language } = useLanguage();
  const { supportPhone, supportEmail, supportHours } = configuration();
  const hours = <span className="block text-ink-600">{supportHours?.[language]}</span>;
  return (
    <div>
      <dl>
        {supportPhone ? (
          <div className={line}>
            <dt className="min-w-[6.5rem] py-1 text-ink-600">{t('support')}</dt>
            <dd>
              <SupportPhone />
              {hours}
            </dd>
          </div>
        ) : null}
        {supportEmail ? (
          <div className={line}>
            <dt className="min-w-[6.5rem] py-1 text-ink-600">{t('email')}</dt>
            <dd>
              <SupportEmail />
              {supportPhone ? null : hours}
            </dd>
          </div>
        ) : null}
      </dl>
      <SocialLinks size="size-11" className="-ms-3 mt-2" />
    </div>
  );
}

/** Names the environment, except the live one, so that users do not confuse them. */
function EnvironmentLabel() {
  const { t } = useTranslation('shell');
  const { environment } = configuration();
  if (environment === '' || environment === 'live') return null;
  return (
    <p>
      {t('environment')}{' '}
      <span className="rounded-sm border border-amber-300 bg-amber-50 px-2 py-0.5 font-medium text-ink-900">
        <Reference>{environment}</Reference>
      </span>
    </p>
  );
}

function Links({ className }: { className: string }) {
  const { t } = useTranslation('shell');
  return (
    <nav aria-label={t('footerNavigation')}>
      <ul className={className}>
        {links.map(({ name, address }) => (
          <li key={name}>
            <Link to={address} className="link inline-block py-1">
              {t(`footer.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FooterContent() {
  const { t } = useTranslation('shell');
  return (
    <>
      <div className="page flex flex-col gap-6 py-8 md:flex-row md:items-start md:justify-between md:py-10">
        <div className="flex items-center gap-3">
          <PortalLogo className="size-10" />
          <div>
            <p className="font-heading text-base font-bold">{t('wordmark')}</p>
            <p className="text-ink-600">{t('portal')}</p>
          </div>
        </div>
        <Links className="grid gap-x-10 sm:grid-cols-2" />
        <Contact />
      </div>
      <div className="border-t border-ink-100">
        <div className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 text-ink-600">
          <p>{t('copyright', { year })}</p>
          <Cards height="h-8" />
          <ThemeSwitch />
          <EnvironmentLabel />
          <p>
            {t('version')} <Reference>{clientVersion}</Reference>
          </p>
        </div>
      </div>
    </>
  );
}

/** The same in two lines, where people have work to do; the colours are in the menu. */
function DenseFooter() {
  const { t } = useTranslation('shell');
  const row = 'flex flex-wrap items-center gap-x-4 max-md:gap-y-1';
  return (
    <div className="page py-1 text-ink-600">
      <div className={`${row} justify-between`}>
        <Links className={row} />
        <div className={row}>
          <SupportPhone />
          <SupportEmail />
        </div>
      </div>
      <div className={`${row} justify-between`}>
        <p>{t('copyright', { year })}</p>
        <EnvironmentLabel />
        <Cards height="h-5" />
        <SocialLinks size="size-8" />
        <p>
          {t('version')} <Reference>{clientVersion}</Reference>
        </p>
      </div>
    </div>
  );
}

/** Visitors see it with much room; signed-in users have tasks to do. Source: specification §2. */
export function Footer() {
  return (
    <footer className="border-t border-ink-100 bg-desert-50 text-sm">
      {useSession() ? <DenseFooter /> : <FooterContent />}
    </footer>
  );
}
