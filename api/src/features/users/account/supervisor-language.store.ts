import type { Language } from '@diwan/contract/wire/languages';
import type { Database } from '../../../platform/database/database.ts';

export async function updateLanguage(
  database: Database,
  userId: string,
  language: Language,
): Promise<void> {
  await database.updateTable('users').set({ language }).where('id', '=', userId).execute();
}
