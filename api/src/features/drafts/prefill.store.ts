import type { Database } from '#platform/database/database.ts';
import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Writer } from './drafts.store.ts';

/** The details of an account; `uaepass_id` shows whether UAE PASS has verified them. */
export function getKnownDetails(database: Database, userId: string) {
  return database
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .select([
      'users.full_name',
      'users.full_name_ar',
      'users.phone_number',
      'users.email',
      'users.emirates_id',
      'users.typed_emirates_id',
      'users.uaepass_id',
      'users.nationality',
      'companies.name as company_name',
      'companies.licence_number',
    ])
    .$narrowType<{ company_name: LocalizedText | null }>()
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function hasAgreed(database: Database, userId: string): Promise<boolean> {
  return (
    (await database
      .selectFrom('prefill_consents')
      .select('user_id')
      .where('user_id', '=', userId)
      .executeTakeFirst()) !== undefined
  );
}

export async function setAgreed(
  database: Database,
  userId: string,
  isAgreed: boolean,
): Promise<void> {
  if (isAgreed)
    await database
      .insertInto('prefill_consents')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute();
  else await database.deleteFrom('prefill_consents').where('user_id', '=', userId).execute();
}

/** An earlier request and its sender. */
export interface EarlierRequest {
  number: string;
  form: ServiceForm;
  answers: Answers;
  user_id: string;
}

/** The last requests of a person, or of a company with all its users, newest first. */
export function selectEarlier(
  database: Database,
  { userId, companyId }: Writer,
  maximum: number,
): Promise<EarlierRequest[]> {
  const requests = database
    .selectFrom('requests')
    .innerJoin('forms', 'forms.id', 'form_id')
    .select(['number', 'forms.content as form', 'answers', 'user_id'])
    .orderBy('created_at', 'desc')
    .orderBy('requests.id', 'desc')
    .limit(maximum);
  return (
    companyId === null
      ? requests.where('user_id', '=', userId).where('company_id', 'is', null)
      : requests.where('company_id', '=', companyId)
  ).execute();
}
