import { changeOwnCommunication } from '@diwan/contract/people/communication-types';
import type { Language } from '@diwan/contract/wire/languages';
import { send } from '../../lib/api/send.ts';

/**
 * Whoever chooses a language while signed in is written to in it. Where that cannot be kept the
 * page changes all the same.
 */
export async function keepOwnLanguage(language: Language): Promise<void> {
  await send(changeOwnCommunication, { body: { language }, skipErrorHandling: true }).catch(
    () => undefined,
  );
}
