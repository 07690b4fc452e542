import { redirect, type LoaderFunctionArgs } from 'react-router';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';
import { recall, remember } from '../../../lib/browser/browser-memory.ts';
import { send } from '../../../lib/api/send.ts';
import { currentSession, keepReturnUrl } from '../../../lib/api/session.ts';

const enabledKey = 'uaePassEnabled';
const skippedKey = 'identitySkipped';
let asking: Promise<boolean> | undefined;

async function ask(): Promise<boolean> {
  const { isEnabled } = await send(checkUAEPassEnabled, {
    skipErrorHandling: true,
    signal: AbortSignal.timeout(3000),
  });
  remember('session', enabledKey, String(isEnabled));
  return isEnabled;
}

/**
 * Asked once a session. Where it cannot be asked people go on without: nobody is kept from the
 * services by it.
 */
export function isUAEPassEnabled(): Promise<boolean> {
  const known = recall('session', enabledKey);
  if (known !== null) return Promise.resolve(known === 'true');
  asking ??= ask()
    .catch(() => false)
    .finally(() => {
      asking = undefined;
    });
  return asking;
}

/** An address names an account type by its id or by its word. */
export function accountTypeOf(text: string | undefined): AccountTypeSlug | undefined {
  const slugs = Object.keys(accountTypeIds) as AccountTypeSlug[];
  return slugs.find((slug) => slug === text || String(accountTypeIds[slug]) === text);
}

/** Without a sign-in for this session; otherwise the services would lead back to the wizard. */
export function skipIdentity(): void {
  remember('session', skippedKey, 'yes');
}

/**
 * Before the services of an account type: who can sign in with UAE PASS and has not is asked to,
 * once. Source: specification §2, §4.
 */
export async function checkBeforeServices({
  params,
}: LoaderFunctionArgs): Promise<Response | null> {
  if (params.accountType === undefined) return null;
  const slug = accountTypeOf(params.accountType);
  if (slug !== params.accountType)
    return redirect(slug ? `/home/services/${slug}` : '/home/services');
  if (currentSession() !== null || recall('session', skippedKey) !== null) return null;
  return (await isUAEPassEnabled()) ? redirect(`/home/auth/${accountTypeIds[slug]}`) : null;
}

/**
 * The wizard's own second step, or its third where there is nothing to ask. Without an account type
 * it begins with the first.
 */
export async function checkBeforeWizard({
  params,
}: LoaderFunctionArgs): Promise<Response | { slug: AccountTypeSlug | undefined }> {
  const slug = accountTypeOf(params.accountType);
  if (slug === undefined) return { slug };
  const services = `/home/services/${slug}`;
  if (currentSession() !== null || !(await isUAEPassEnabled())) return redirect(services);
  remember('session', 'accountType', String(accountTypeIds[slug]));
  keepReturnUrl(services);
  return { slug };
}

export async function checkBeforeLogin(): Promise<{ isEnabled: boolean }> {
  return { isEnabled: await isUAEPassEnabled() };
}
