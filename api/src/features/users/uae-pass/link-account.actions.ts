import { randomUUID } from 'node:crypto';
import type { Language } from '@diwan/contract/wire/languages';
import { recordAudit } from '../../../platform/auth/audit.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { AppContext } from '../../../platform/http/context.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Identity } from '../../../platform/integrations/uae-pass-profile.ts';
import { findLink, takeLink } from './identity-links.store.ts';
import {
  findUserByEmiratesId,
  findUserBySubject,
  insertUserOfIdentity,
  linkUser,
  lockAccount,
  lockIdentity,
} from '../model/identities.store.ts';
import { tellOwner } from '../notifications/tell-owner.ts';

type LinkContext = Pick<AppContext, 'database' | 'sessions' | 'publicUrl' | 'outbox'>;

/** A new client account of an identity. */
export async function makeUserOfIdentity(
  transaction: Transaction,
  identity: Identity,
  address: string,
): Promise<string> {
  const made = await insertUserOfIdentity(transaction, `uaepass-${randomUUID()}`, identity);
  if (!made) throw new Refusal('IdentityNotConfirmed');
  await recordAudit(transaction, {
    kind: 'accountCreated',
    userId: made,
    address,
    reason: 'uaePass',
  });
  return made;
}

async function takeOpenLink(transaction: Transaction, browser: string): Promise<Identity> {
  const identity = await takeLink(transaction, browser);
  if (!identity) throw new Refusal('IdentityNotConfirmed');
  await lockIdentity(transaction, identity);
  // Somebody was quicker: the identity has an account by now.
  const owner =
    (await findUserBySubject(transaction, identity.subject)) ??
    (identity.emiratesId
      ? await findUserByEmiratesId(transaction, identity.emiratesId)
      : undefined);
  if (owner) throw new Refusal('IdentityNotConfirmed');
  return identity;
}

/**
 * Links the identity that waits in this browser to the account whose password was just right, tells
 * its owner, and signs in. `signIn` judges password and second factor.
 */
export async function linkAccount(
  context: LinkContext,
  browser: string | undefined,
  { address, language }: { address: string; language: Language },
  signIn: () => Promise<{ token: string; device: string }>,
): Promise<{ token: string; device: string }> {
  const { database, sessions } = context;
  // Looked for first: without one this would be a second way to guess passwords.
  if (!browser || !(await findLink(database, browser))) throw new Refusal('IdentityNotConfirmed');
  const signedIn = await signIn();
  const caller = await sessions.findCaller(signedIn.token);
  try {
    if (!caller || caller.restriction) throw new Refusal('LinkNotPossible');
    await database.transaction().execute(async (transaction) => {
      const account = await lockAccount(transaction, caller.userId);
      const identity = await takeOpenLink(transaction, browser);
      // An account that is known to be somebody else's stays theirs.
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
      // A stolen password can link as well as its owner.
      await tellOwner(context, transaction, caller.userId, 'identityLinked', language);
    });
    context.outbox.wake();
    return signedIn;
  } catch (error) {
    await sessions.end(signedIn.token, address);
    throw error;
  }
}

/** The way on for somebody whose Emirates ID another person typed: an account of their own. */
export async function declineLink(
  { database, sessions }: Pick<LinkContext, 'database' | 'sessions'>,
  browser: string | undefined,
  caller: { address: string; agent?: string | undefined },
): Promise<string> {
  if (!browser) throw new Refusal('IdentityNotConfirmed');
  const userId = await database
    .transaction()
    .execute(async (transaction) =>
      makeUserOfIdentity(transaction, await takeOpenLink(transaction, browser), caller.address),
    );
  return sessions.begin(userId, { isUAEPass: true, ...caller });
}
