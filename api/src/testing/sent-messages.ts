import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** What the stand-ins were given for an address, the oldest first. */
export async function messagesTo(app: TestApp, recipient: string) {
  return app.database
    .selectFrom('sandbox.messages')
    .selectAll()
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute();
}

/**
 * The newest message to an address once `count` have come. Messages are sent after the answer, so
 * that it takes as long for everybody.
 */
export async function messageTo(app: TestApp, recipient: string, count = 1) {
  await expect
    .poll(async () => (await messagesTo(app, recipient)).length, { timeout: 5000 })
    .toBe(count);
  const message = (await messagesTo(app, recipient)).at(-1);
  if (!message) throw new Error(`Nothing was sent to ${recipient}`);
  return message;
}

export async function codeTo(app: TestApp, recipient: string, count = 1): Promise<string> {
  return /\b\d{6}\b/.exec((await messageTo(app, recipient, count)).body)?.[0] ?? 'none';
}

/** The next code may come at once. */
export async function allowNextCode(app: TestApp): Promise<void> {
  await app.database.updateTable('verification_codes').set({ expires_at: new Date() }).execute();
}

/** A code that is not this one. */
export const wrongFor = (code: string): string => (code === '000000' ? '000001' : '000000');
