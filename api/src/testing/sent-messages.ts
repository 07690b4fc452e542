import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** The messages that the sandbox received for an address, the oldest first. */
export async function listMessagesTo(app: TestApp, recipient: string) {
  return app.database
    .selectFrom('sandbox.messages')
    .selectAll()
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute();
}

/**
 * The newest message to an address, once `count` have arrived. Messages are sent after the reply,
 * so that the reply takes equally long for every address.
 */
export async function waitForMessageTo(app: TestApp, recipient: string, count = 1) {
  await expect
    .poll(async () => (await listMessagesTo(app, recipient)).length, { timeout: 5000 })
    .toBe(count);
  const message = (await listMessagesTo(app, recipient)).at(-1);
  if (!message) throw new Error(`Nothing was sent to ${recipient}`);
  return message;
}

export async function waitForCodeTo(app: TestApp, recipient: string, count = 1): Promise<string> {
  return /\b\d{6}\b/.exec((await waitForMessageTo(app, recipient, count)).body)?.[0] ?? 'none';
}

/** Allows the next code immediately. */
export async function allowNextCode(app: TestApp): Promise<void> {
  await app.database.updateTable('verification_codes').set({ expires_at: new Date() }).execute();
}

/** A code that differs from this one. */
export const otherCode = (code: string): string => (code === '000000' ? '000001' : '000000');
