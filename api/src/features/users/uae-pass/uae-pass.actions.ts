import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../../platform/auth/audit.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import type { IdentityProvider } from '../../../platform/integrations/identity-provider.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Identity } from '../../../platform/integrations/uae-pass-profile.ts';
import { consumeAttempt, insertAttempt } from './identity-attempts.store.ts';
import { keepLink } from './identity-links.store.ts';
import {
  findUserByEmiratesId,
  findUserBySubject,
  isTypedEmiratesId,
  linkUser,
  lockIdentity,
  updateFromIdentity,
} from '../model/identities.store.ts';
import { makeUserOfIdentity } from './link-account.actions.ts';

export interface IdentityContext extends Pick<AppContext, 'database' | 'sessions' | 'config'> {
  provider: IdentityProvider | undefined;
  warn: (message: string) => void;
}

/** A name that only this browser knows, or a state or verifier: 256 bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Begins a sign-in in one browser; the reply is where it goes. */
export async function beginAtProvider(
  { database, provider }: IdentityContext,
  browser: string,
  uiLocales: 'ar' | 'en',
): Promise<string> {
  if (!provider) throw new Refusal('NotFound');
  const attempt = { state: newSecret(), verifier: newSecret(), browser };
  await insertAttempt(database, attempt);
  return provider.addressFor({ ...attempt, uiLocales });
}

/** `undefined` where an account may be this person's and only its password can tell. */
async function findOrMakeUser(
  transaction: Transaction,
  identity: Identity,
  address: string,
): Promise<string | undefined> {
  await lockIdentity(transaction, identity);
  const linked = await findUserBySubject(transaction, identity.subject);
  if (linked) {
    await updateFromIdentity(transaction, linked, identity);
    return linked.id;
  }
  const same = identity.emiratesId
    ? await findUserByEmiratesId(transaction, identity.emiratesId)
    : undefined;
  if (same) {
    await linkUser(transaction, same.id, identity);
    await recordAudit(transaction, {
      kind: 'accountLinked',
      userId: same.id,
      address,
      reason: same.uaepass_id ? 'newUAEPassAccount' : 'emiratesId',
    });
    return same.id;
  }
  if (identity.emiratesId && (await isTypedEmiratesId(transaction, identity.emiratesId)))
    return undefined;
  return makeUserOfIdentity(transaction, identity, address);
}

/**
 * Ends a sign-in at the provider: takes the attempt of this browser, asks who it is, and begins a
 * session. The reply is a token.
 */
export async function completeAtProvider(
  context: IdentityContext,
  answer: {
    code: string;
    state: string;
    browser: string | undefined;
    address: string;
    agent?: string | undefined;
  },
): Promise<string> {
  const { database, provider, sessions, config, warn } = context;
  const { code, state, browser, address, agent } = answer;
  const verifier = provider && browser ? await consumeAttempt(database, state, browser) : undefined;
  if (!provider || !browser || verifier === undefined) throw new Refusal('IdentityNotConfirmed');

  const identity = await provider.identify(code, verifier).catch((error: Error) => {
    // Its message names what went wrong, never the code or a token.
    warn(`UAE PASS could not be asked: ${error.message}`);
    throw new Refusal('IdentityProviderUnreachable');
  });
  if (!identity) throw new Refusal('IdentityNotConfirmed');
  if (identity.level < config.UAE_PASS_MINIMUM_LEVEL) {
    await recordAudit(database, {
      kind: 'signInByUAEPassRefused',
      address,
      reason: identity.level,
    });
    throw new Refusal('IdentityNotVerified');
  }
  const userId = await database
    .transaction()
    .execute((transaction) => findOrMakeUser(transaction, identity, address));
  if (userId === undefined) {
    await keepLink(database, browser, identity);
    throw new Refusal('LinkConfirmationRequired');
  }
  return sessions.begin(userId, { isUAEPass: true, address, agent, identity: identity.subject });
}
