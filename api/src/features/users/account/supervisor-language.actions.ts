import type { Language } from '@diwan/contract/wire/languages';
import type { AppContext } from '../../../platform/http/context.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { updateLanguage } from './supervisor-language.store.ts';

/** Keeps the language of a supervisor; the next token carries it. Nobody sets that of another. */
export async function changeSupervisorLanguage(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  supervisorId: string,
  language: Language,
): Promise<void> {
  if (supervisorId !== caller.userId) throw new Refusal('YouAreUnauthorized');
  await updateLanguage(database, caller.userId, language);
}
