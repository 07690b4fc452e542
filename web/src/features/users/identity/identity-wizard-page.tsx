import { KeyRound, Smartphone, UserCheck } from 'lucide-react';
import { PersonaCards } from '#features/services/persona-cards.tsx';
import { useAccountTypes } from '#features/services/services.data.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLoaderData, useNavigate } from '#lib/router/router-provider.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Stepper } from '#ui/data/stepper.tsx';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';
import { skipIdentity } from './identity-check.ts';
import { SharedComputerChoice } from './shared-computer-choice.tsx';
import { UAEPassLink } from './uae-pass-link.tsx';

const reasons = [
  { name: 'one', icon: KeyRound },
  { name: 'phone', icon: Smartphone },
  { name: 'details', icon: UserCheck },
] as const;

/** Explains UAE PASS, with its sign-in button. */
function Recommended() {
  const { t } = useTranslation('users');
  return (
    <section
      aria-labelledby="identity-title"
      data-surface
      className="rounded-lg border border-ink-100 bg-white p-4 shadow-soft md:p-6"
    >
      <p className="inline-block rounded-full bg-green-100 px-3 text-sm font-semibold text-green-800">
        {t('wizard.recommended')}
      </p>
      <h2 id="identity-title" className="mt-3 text-lg">
        {t('wizard.whatTitle')}
      </h2>
      <p className="mb-5 text-ink-600">{t('wizard.what')}</p>
      <div className="mb-4">
        <SharedComputerChoice />
      </div>
      <UAEPassLink />
      <ul className="mt-6 flex flex-col gap-3">
        {reasons.map(({ name, icon: Icon }) => (
          <li key={name} className="flex gap-3">
            <span className="flex h-[1lh] items-center text-gold-600">
              <Icon aria-hidden size={22} className="shrink-0" />
            </span>
            <span>{t(`wizard.reasons.${name}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OtherWays({ slug }: { slug: AccountTypeSlug }) {
  const { t } = useTranslation('users');
  return (
    <section aria-labelledby="other-title" className="mt-8">
      <h2 id="other-title" className="text-lg">
        {t('wizard.other')}
      </h2>
      <div className="mt-3 flex flex-wrap gap-3">
        <LinkButton to="/account/login" variant="secondary">
          {t('identity.password')}
        </LinkButton>
        <LinkButton
          to={`/home/services/${slug}#all`}
          onClick={() => skipIdentity(slug)}
          variant="secondary"
        >
          {t('wizard.skip')}
        </LinkButton>
      </div>
      <p className="mt-3 text-sm text-ink-600">{t('wizard.skipHint')}</p>
    </section>
  );
}

/**
 * The wizard with the steps account type, sign-in and services. It shows the second step, or the
 * first one where the address has no account type. Source: specification §4.
 */
export function IdentityWizardPage() {
  const { t } = useTranslation('users');
  const { t: shell } = useTranslation('shell');
  const { slug } = useLoaderData<{ slug: AccountTypeSlug | undefined }>();
  const navigate = useNavigate();
  const accountTypes = useAccountTypes();
  const name = accountTypes.data?.find(
    (each) => slug && each.accountTypeId === accountTypeIds[slug],
  )?.accountTypeName;
  const title = t(slug ? 'wizard.title' : 'wizard.chooseTitle');
  usePageTitle(title);
  const steps = [
    {
      name: 'accountType',
      title: t('wizard.steps.accountType'),
      isDone: slug !== undefined,
      onSelect: () => void navigate('/home'),
    },
    { name: 'identity', title: t('wizard.steps.identity'), isDone: false },
    { name: 'services', title: t('wizard.steps.services'), isDone: false },
  ];
  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        lead={slug ? t('wizard.lead') : t('wizard.chooseLead')}
        crumbs={[{ label: shell('navigation.home'), to: '/home' }, { label: title }]}
      />
      <div className="grid grid-cols-1 gap-8 md:grid-cols-[15rem_minmax(0,1fr)] md:gap-12">
        <Stepper
          label={t('wizard.progress')}
          steps={steps}
          current={slug ? 'identity' : 'accountType'}
        />
        {slug ? (
          <div className="max-w-form">
            {/* The line is reserved until the name is loaded. */}
            <p className="mb-4 min-h-[1lh] text-ink-700">
              {name ? t('wizard.chosen', { name }) : null}
            </p>
            <Recommended />
            <OtherWays slug={slug} />
          </div>
        ) : (
          <section aria-labelledby="choose-title">
            <h2 id="choose-title" className="mb-4 text-lg">
              {t('wizard.steps.accountType')}
            </h2>
            <PersonaCards accountTypes={accountTypes.data} />
          </section>
        )}
      </div>
    </div>
  );
}
