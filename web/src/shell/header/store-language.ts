import { handleError } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import type { Session } from '#lib/api/session.ts';
import { setLanguage } from '#lib/i18n/language.ts';
import { storeLanguage } from '#lib/i18n/stored-language.ts';
import { reload } from '#lib/page/reload.ts';
import { changeOwnCommunication } from '@diwan/contract/people/communication-types';
import { changeSupervisorLanguage } from '@diwan/contract/people/users';
import { storedLanguages, type Language } from '@diwan/contract/wire/languages';

/**
 * Stores the language of a supervisor on the server and reloads the page. After a failure the
 * language changes in this browser only. Source: specification §6, §7.
 */
export async function changeSupervisorLanguageAndReload(
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

/** Stores the language in which a signed-in user gets messages. Ignores failures. */
export async function storeUserLanguage(language: Language): Promise<void> {
  await send(changeOwnCommunication, { body: { language }, skipErrorHandling: true }).catch(
    () => undefined,
  );
}
