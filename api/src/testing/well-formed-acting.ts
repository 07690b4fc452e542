import { sendActingCode } from '@diwan/contract/people/acting';
import { codeTo } from './sent-messages.ts';
import type { TestApp } from './test-app.ts';
import { insertSpare } from './well-formed-accounts.ts';
import type { Parts, Person, WellFormed } from './well-formed-call.ts';

/** Calls about helping a person at a counter; each is about somebody new. */
export function wellFormedActing(app: TestApp): Record<string, WellFormed> {
  let made = 0;
  async function visitor(): Promise<string> {
    const username = `visitor${(made += 1)}`;
    await insertSpare(app, username);
    return username;
  }
  async function begin(as: Person): Promise<Parts> {
    const name = await visitor();
    const isClerk = as === 'employee' || as === 'admin';
    if (isClerk)
      await app.call(sendActingCode, {
        token: await app.signIn(as),
        body: { name, channel: 'email' },
      });
    return {
      body: {
        name,
        channel: 'email',
        code: isClerk ? await codeTo(app, `${name}@mail.example`) : '123456',
      },
    };
  }
  return {
    findPerson: { make: async () => ({ body: { name: await visitor() } }) },
    sendActingCode: { make: async () => ({ body: { name: await visitor(), channel: 'email' } }) },
    beginActing: { make: begin },
    endActing: { make: () => ({ body: {} }) },
  };
}
