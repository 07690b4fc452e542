import type { Language } from '@diwan/contract/languages';
import type { House } from '../../platform/house.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { updateLanguage } from './supervisor-language.store.ts';

/** Keeps the language of a supervisor; the next token carries it. Nobody sets that of another. */
export async function changeSupervisorLanguage(
  { database }: Pick<House, 'database'>,
  caller: Caller,
  supervisorId: string,
  language: Language,
): Promise<void> {
  if (supervisorId !== caller.userId) throw new Refusal('YouAreUnauthorized');
  await updateLanguage(database, caller.userId, language);
}
