import type { Language } from '@diwan/contract/languages';
import type { Database } from '../../platform/database.ts';

export async function updateLanguage(
  database: Database,
  userId: string,
  language: Language,
): Promise<void> {
  await database.updateTable('users').set({ language }).where('id', '=', userId).execute();
}
