import { send } from '#lib/api/send.ts';
import { currentSession, storeReturnUrl } from '#lib/api/session.ts';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { redirect, type LoaderArguments } from '#lib/router/router.ts';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';

const enabledKey = 'uaePassEnabled';
const skippedKey = 'identitySkipped';
let pending: Promise<boolean> | undefined;

async function requestStatus(): Promise<boolean> {
  const { isEnabled } = await send(checkUAEPassEnabled, {
    skipErrorHandling: true,
    signal: AbortSignal.timeout(3000),
  });
  storeItem('session', enabledKey, String(isEnabled));
  return isEnabled;
}

/**
 * Whether UAE PASS is enabled, requested once per session. If the request fails, the check is
 * skipped.
 */
export function isUAEPassEnabled(): Promise<boolean> {
  const known = loadItem('session', enabledKey);
  if (known !== null) return Promise.resolve(known === 'true');
  pending ??= requestStatus()
    .catch(() => false)
    .finally(() => {
      pending = undefined;
    });
  return pending;
}

/** An address contains the id or the slug of an account type. */
export function accountTypeOf(text: string | undefined): AccountTypeSlug | undefined {
  const slugs = Object.keys(accountTypeIds) as AccountTypeSlug[];
  return slugs.find((slug) => slug === text || String(accountTypeIds[slug]) === text);
}

/** The ids of the account types whose sign-in step was skipped in this session. */
const skippedTypes = (): string[] => loadItem('session', skippedKey)?.split(',') ?? [];

/**
 * Skips the sign-in step of an account type for this session; otherwise its services would redirect
 * to the wizard. The wizard of another account type has its own step. Source: specification §4.
 */
export function skipIdentity(slug: AccountTypeSlug): void {
  const skipped = new Set(skippedTypes()).add(String(accountTypeIds[slug]));
  storeItem('session', skippedKey, [...skipped].join(','));
}

/**
 * The loader of the services of an account type: asks once to sign in with UAE PASS where it is
 * enabled. Source: specification §2, §4.
 */
export async function checkBeforeServices({ params }: LoaderArguments): Promise<Response | null> {
  if (params.accountType === undefined) return null;
  const slug = accountTypeOf(params.accountType);
  if (slug !== params.accountType)
    return redirect(slug ? `/home/services/${slug}` : '/home/services');
  const id = String(accountTypeIds[slug]);
  storeItem('session', 'accountType', id);
  if (currentSession() !== null || skippedTypes().includes(id)) return null;
  return (await isUAEPassEnabled()) ? redirect(`/home/auth/${id}`) : null;
}

/**
 * The loader of the wizard: shows the sign-in step, or redirects to the services where it is not
 * needed. Without an account type it shows the first step.
 */
export async function checkBeforeWizard({
  params,
}: LoaderArguments): Promise<Response | { slug: AccountTypeSlug | undefined }> {
  const slug = accountTypeOf(params.accountType);
  if (slug === undefined) return { slug };
  const services = `/home/services/${slug}`;
  if (currentSession() !== null || !(await isUAEPassEnabled())) return redirect(services);
  storeItem('session', 'accountType', String(accountTypeIds[slug]));
  storeReturnUrl(services);
  return { slug };
}

export async function checkBeforeLogin(): Promise<{ isEnabled: boolean }> {
  return { isEnabled: await isUAEPassEnabled() };
}
