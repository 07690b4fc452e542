import { storedLanguages, type Language } from '@diwan/contract/languages';
import { changeSupervisorLanguage } from '@diwan/contract/users';
import { handleError } from '../lib/handle-error.ts';
import { setLanguage } from '../lib/language.ts';
import { reload } from '../lib/reload.ts';
import { send } from '../lib/send.ts';
import type { Session } from '../lib/session.ts';
import { storeLanguage } from '../lib/stored-language.ts';

/**
 * The language of a supervisor is also kept on the server, then the page is loaded again. Where
 * that fails it changes in this browser. Source: specification §6, §7.
 */
export async function chooseSupervisorLanguage(
  { ssid }: Session,
  language: Language,
): Promise<void> {
  try {
    await send(changeSupervisorLanguage, {
      body: { SupervisorId: ssid, Language: storedLanguages[language] as 'Urdu' | Language },
    });
  } catch (error) {
    handleError(error);
    return setLanguage(language);
  }
  storeLanguage(language);
  reload();
}
