import { randomBytes } from 'node:crypto';
import { recordAudit } from '#platform/auth/audit.store.ts';
import type { HttpOnlyCookie } from '#platform/core/cookies.ts';
import type { Identity } from '#platform/core/identity.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { IdentityProvider } from '#platform/integrations/identity-provider.ts';
import { browserStorage } from '@diwan/contract/portal/browser-storage';
import {
  findUserByEmiratesId,
  findUserBySubject,
  isClaimedEmiratesId,
  linkUser,
  lockIdentity,
  updateFromIdentity,
} from '../model/identities.store.ts';
import { attemptMinutes, consumeAttempt, insertAttempt } from './identity-attempts.store.ts';
import { storeLink } from './identity-links.store.ts';
import { createUserFromIdentity } from './link-account.actions.ts';

/** Identifies the browser in which a sign-in began: only that browser can complete it. */
export const identityCookie: HttpOnlyCookie = {
  name: browserStorage.identity.name,
  path: '/',
  seconds: attemptMinutes * 60,
};

interface IdentityContext extends Pick<AppContext, 'database' | 'sessions' | 'config'> {
  provider: IdentityProvider | undefined;
  warn: (message: string) => void;
}

/** A random id, state or verifier of 256 bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Begins a sign-in and returns the address of the provider. */
export async function beginUAEPassSignIn(
  { database, provider }: IdentityContext,
  browser: string,
  uiLocales: 'ar' | 'en',
): Promise<string> {
  if (!provider) throw new Refusal('NotFound');
  const attempt = { state: newSecret(), verifier: newSecret(), browser };
  await insertAttempt(database, attempt);
  return provider.authorizationUrl({ ...attempt, uiLocales });
}

/**
 * Returns `undefined` where an existing account may belong to this person, which only its password
 * can show.
 */
async function findOrCreateUser(
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
  if (identity.emiratesId && (await isClaimedEmiratesId(transaction, identity.emiratesId)))
    return undefined;
  return createUserFromIdentity(transaction, identity, address);
}

/**
 * Completes a sign-in: consumes the attempt of this browser, reads the identity from the provider,
 * and opens a session. Returns its token.
 */
export async function completeUAEPassSignIn(
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
    // The message of the error holds no code and no token.
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
  const userId = await inTransaction(database, (transaction) =>
    findOrCreateUser(transaction, identity, address),
  );
  if (userId === undefined) {
    await storeLink(database, browser, identity);
    throw new Refusal('LinkConfirmationRequired');
  }
  return sessions.create(userId, { isUAEPass: true, address, agent, identity: identity.subject });
}
