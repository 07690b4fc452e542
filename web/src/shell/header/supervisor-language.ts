import { storedLanguages, type Language } from '@diwan/contract/wire/languages';
import { changeSupervisorLanguage } from '@diwan/contract/people/users';
import { handleError } from '../../lib/api/handle-error.ts';
import { setLanguage } from '../../lib/i18n/language.ts';
import { reload } from '../../lib/page/reload.ts';
import { send } from '../../lib/api/send.ts';
import type { Session } from '../../lib/api/session.ts';
import { storeLanguage } from '../../lib/i18n/stored-language.ts';

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
