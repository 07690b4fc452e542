import { RotateCw } from 'lucide-react';
import { useState, type ComponentType } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import {
  useIsLoading,
  useLoaderData,
  useLocation,
  useNavigate,
  useParams,
} from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { accountTypeOf, FailedCheck, skipIdentity } from './identity-check.ts';

/**
 * That it is unknown whether UAE PASS is enabled, with a way to try again and one to continue: to the
 * services of the account type, as with Skip of the wizard, or with the other ways to sign in.
 */
function CheckFailed({ error, onContinue }: { error: unknown; onContinue: () => void }) {
  const { t } = useTranslation(['errors', 'shell']);
  const navigate = useNavigate();
  const location = useLocation();
  const isLoading = useIsLoading();
  const slug = accountTypeOf(useParams().accountType);
  const title = t('identityCheck.title');
  usePageTitle(title);
  const open = (to: string) => void navigate(to, { replace: true, state: location.state });
  const goOn = () => {
    if (slug === undefined) return onContinue();
    skipIdentity(slug);
    open(`/home/services/${slug}`);
  };
  return (
    <div className="page max-w-form py-12">
      <h1 className="mb-4 text-2xl">{title}</h1>
      {/* Another failure is said again. */}
      <div key={location.key} role="alert" className="mb-6 text-ink-700">
        <p>{messageOf(error)}</p>
        <p className="mt-2">{t(slug ? 'identityCheck.browse' : 'identityCheck.signIn')}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          icon={<RotateCw aria-hidden size={18} />}
          isPending={isLoading}
          onPress={() => open(location.pathname + location.search + location.hash)}
        >
          {t('shell:kit.tryAgain')}
        </Button>
        <Button variant="secondary" isDisabled={isLoading} onPress={goOn}>
          {t(slug ? 'identityCheck.toServices' : 'identityCheck.without')}
        </Button>
      </div>
    </div>
  );
}

/** A page whose loader is a check of `identity-check.ts`: it is shown unless the check has failed. */
export function afterIdentityCheck(Page: ComponentType): ComponentType {
  return function CheckedPage() {
    const data = useLoaderData();
    const [goesOn, setGoesOn] = useState(false);
    return data instanceof FailedCheck && !goesOn ? (
      <CheckFailed error={data.error} onContinue={() => setGoesOn(true)} />
    ) : (
      <Page />
    );
  };
}
