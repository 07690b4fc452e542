import { createHash } from 'node:crypto';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { browserStorage } from '@diwan/contract/portal/browser-storage';

/** Minutes in which a sign-in at the provider must be completed. */
export const attemptMinutes = browserStorage.identity.lasts / 60;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export async function insertAttempt(
  database: Database,
  attempt: { state: string; browser: string; verifier: string },
): Promise<void> {
  await database
    .insertInto('identity_attempts')
    .values({
      state_hash: hashOf(attempt.state),
      browser_hash: hashOf(attempt.browser),
      verifier: attempt.verifier,
    })
    .execute();
}

/**
 * Consumes an attempt of this browser and returns its verifier. It is one statement, so that of two
 * parallel calls only one gets it.
 */
export async function consumeAttempt(
  database: Database,
  state: string,
  browser: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ verifier: string }>`
    with taken as (
      select state_hash, verifier
      from identity_attempts
      where state_hash = ${hashOf(state)}
        -- guard: browser that began a sign-in (uae-pass)
        and browser_hash = ${hashOf(browser)}
        and used_at is null
        -- guard: age of a sign-in (uae-pass)
        and created_at > now() - make_interval(mins => ${attemptMinutes})
      for update
    )
    update identity_attempts as attempt
    set used_at = now(), verifier = null
    from taken
    where attempt.state_hash = taken.state_hash
    returning taken.verifier`.execute(database);
  return rows[0]?.verifier;
}

export async function deleteOldIdentityAttempts(database: Database): Promise<void> {
  await sql`
    delete from identity_attempts
    where created_at < now() - interval '1 day'`.execute(database);
}
