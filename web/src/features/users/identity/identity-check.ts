import { currentSession, storeReturnUrl } from '#lib/api/session.ts';
import { isUAEPassEnabled } from '#lib/auth/uae-pass.ts';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { redirect, type LoaderArguments } from '#lib/router/router.ts';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';

const skippedKey = 'identitySkipped';

/**
 * Why it is unknown whether UAE PASS is enabled: the page says so instead of its content, and continues
 * without UAE PASS where the user wants it.
 */
export class FailedCheck {
  readonly isEnabled = false;
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

const orFailedCheck = <Data>(data: Promise<Data>): Promise<Data | FailedCheck> =>
  data.catch((error: unknown) => new FailedCheck(error));

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

async function beforeServices(accountType: string): Promise<Response | null> {
  const slug = accountTypeOf(accountType);
  if (slug !== accountType) return redirect(slug ? `/home/services/${slug}` : '/home/services');
  const id = String(accountTypeIds[slug]);
  storeItem('session', 'accountType', id);
  if (currentSession() !== null || skippedTypes().includes(id)) return null;
  return (await isUAEPassEnabled()) ? redirect(`/home/auth/${id}`) : null;
}

/**
 * The loader of the services of an account type: asks once to sign in with UAE PASS where it is
 * enabled. Source: specification §2, §4.
 */
export function checkBeforeServices({
  params: { accountType },
}: LoaderArguments): Promise<Response | FailedCheck | null> {
  return accountType === undefined
    ? Promise.resolve(null)
    : orFailedCheck(beforeServices(accountType));
}

async function beforeWizard(
  slug: AccountTypeSlug,
): Promise<Response | { slug: AccountTypeSlug | undefined }> {
  const services = `/home/services/${slug}`;
  if (currentSession() !== null || !(await isUAEPassEnabled())) return redirect(services);
  storeItem('session', 'accountType', String(accountTypeIds[slug]));
  storeReturnUrl(services);
  return { slug };
}

/**
 * The loader of the wizard: shows the sign-in step, or redirects to the services where it is not
 * needed. Without an account type it shows the first step.
 */
export async function checkBeforeWizard({
  params,
}: LoaderArguments): Promise<Response | FailedCheck | { slug: AccountTypeSlug | undefined }> {
  const slug = accountTypeOf(params.accountType);
  return slug === undefined ? { slug } : orFailedCheck(beforeWizard(slug));
}

/** The loader of the pages that offer UAE PASS beside other ways to sign in. */
export const checkBeforeLogin = (): Promise<{ isEnabled: boolean } | FailedCheck> =>
  orFailedCheck(isUAEPassEnabled().then((isEnabled) => ({ isEnabled })));
