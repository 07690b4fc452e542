import { randomUUID } from 'node:crypto';
import { recordAudit } from '#platform/auth/audit.store.ts';
import type { Identity } from '#platform/core/identity.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { Language } from '@diwan/contract/wire/languages';
import {
  findUserByEmiratesId,
  findUserBySubject,
  insertUserFromIdentity,
  linkUser,
  lockAccount,
  lockIdentity,
} from '../model/identities.store.ts';
import { notifyOwner } from '../notifications/security-notifications.ts';
import { findLink, consumeLink } from './identity-links.store.ts';

type LinkContext = Pick<AppContext, 'database' | 'sessions' | 'publicUrl' | 'outbox'>;

/** Creates a client account from an identity. Throws IdentityNotConfirmed. */
export async function createUserFromIdentity(
  transaction: Transaction,
  identity: Identity,
  address: string,
): Promise<string> {
  const made = await insertUserFromIdentity(transaction, `uaepass-${randomUUID()}`, identity);
  if (!made) throw new Refusal('IdentityNotConfirmed');
  await recordAudit(transaction, {
    kind: 'accountCreated',
    userId: made,
    address,
    reason: 'uaePass',
  });
  return made;
}

async function consumeOpenLink(transaction: Transaction, browser: string): Promise<Identity> {
  const identity = await consumeLink(transaction, browser);
  if (!identity) throw new Refusal('IdentityNotConfirmed');
  await lockIdentity(transaction, identity);
  // Another call may have created or linked an account meanwhile.
  const owner =
    (await findUserBySubject(transaction, identity.subject)) ??
    (identity.emiratesId
      ? await findUserByEmiratesId(transaction, identity.emiratesId)
      : undefined);
  // guard: identity that has an owner
  if (owner) throw new Refusal('IdentityNotConfirmed');
  return identity;
}

/**
 * Links the pending identity of this browser to the account that `signIn` signs in to, notifies its
 * owner, and returns the session. `signIn` verifies password and second factor.
 */
export async function linkAccount(
  context: LinkContext,
  browser: string | undefined,
  { address, language }: { address: string; language: Language },
  signIn: () => Promise<{ token: string; device: string }>,
): Promise<{ token: string; device: string }> {
  const { database, sessions } = context;
  // Checked first: without a pending identity this call could be used to guess passwords.
  if (!browser || !(await findLink(database, browser))) throw new Refusal('IdentityNotConfirmed');
  const signedIn = await signIn();
  const caller = await sessions.findCaller(signedIn.token);
  try {
    if (
      !caller ||
      // guard: restriction of a linked account
      caller.restriction
    )
      throw new Refusal('LinkNotPossible');
    await inTransaction(database, async (transaction) => {
      const account = await lockAccount(transaction, caller.userId);
      const identity = await consumeOpenLink(transaction, browser);
      // An account with another verified identity cannot be linked.
      // guard: other identity of a linked account
      if (
        account.uaepass_id ||
        (account.emirates_id && account.emirates_id !== identity.emiratesId)
      )
        throw new Refusal('LinkNotPossible');
      await linkUser(transaction, caller.userId, identity, account.emirates_id === null);
      await recordAudit(transaction, {
        kind: 'accountLinked',
        userId: caller.userId,
        sessionId: caller.sessionId,
        address,
        reason: 'password',
      });
      // The owner is notified, because a stolen password is enough to link.
      await notifyOwner(context, transaction, {
        userId: caller.userId,
        event: 'identityLinked',
        language,
      });
    });
    context.outbox.wake();
    return signedIn;
  } catch (error) {
    await sessions.end(signedIn.token, address);
    throw error;
  }
}

/** Creates a separate account for a person whose Emirates ID was typed by another person. */
export async function declineLink(
  { database, sessions }: Pick<LinkContext, 'database' | 'sessions'>,
  browser: string | undefined,
  caller: { address: string; agent?: string | undefined },
): Promise<string> {
  if (!browser) throw new Refusal('IdentityNotConfirmed');
  const userId = await inTransaction(database, async (transaction) =>
    createUserFromIdentity(
      transaction,
      await consumeOpenLink(transaction, browser),
      caller.address,
    ),
  );
  return sessions.create(userId, { isUAEPass: true, ...caller });
}
