import type { Database } from '#platform/database/database.ts';
import {
  containsPattern,
  matchesKeyword,
  withoutSpaces,
} from '#platform/database/keyword-search.ts';
import {
  containsNumber,
  paymentsByNumber,
  plainNumber,
} from '#platform/database/lists/payment-lists.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { normalizeUsername } from '@diwan/contract/people/new-account';
import type { findAnything } from '@diwan/contract/requests/request-lists';
import type { ReplyOf, Role } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { VisibilityCondition } from '../model/requests.store.ts';

type Found = ReplyOf<typeof findAnything>;

interface FoundUser {
  id: string;
  username: string;
  full_name: string;
  full_name_ar: string | null;
  email: string;
  roles: Role[];
}

// The limit of time ends the statement in the database too.
async function inTime<Row>(
  database: Database,
  maximumMs: number,
  statement: Sql<Row>,
): Promise<Row[]> {
  return inTransaction(database, async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(maximumMs)}, true)`.execute(
      transaction,
    );
    return (await statement.execute(transaction)).rows;
  });
}

/** What is searched, at most how many rows, and how long. */
interface Finding {
  text: string;
  take: number;
  maximumMs: number;
}

export function findUsers(database: Database, { text, take, maximumMs }: Finding) {
  return inTime(
    database,
    maximumMs,
    sql<FoundUser>`
      select id, username, full_name, full_name_ar, email, roles
      from users
      where ${matchesKeyword(text, (pattern) => containsPattern(sql`users.search_text`, pattern))}
      order by username = ${normalizeUsername(text)} desc, full_name, id
      limit ${take}`,
  );
}

/** Companies or service providers by their names. */
export function findOrganisations(
  database: Database,
  table: 'companies' | 'partners',
  { text, take, maximumMs }: Finding,
  language: Language,
) {
  const name = sql.id(table, 'name');
  const names = withoutSpaces(sql`fold_text(
    (${name} ->> 'ar-EG') || ' ' || (${name} ->> 'en-US') || ' ' || (${name} ->> 'ur-PK')
  )`);
  return inTime(
    database,
    maximumMs,
    sql<{ id: number; name: LocalizedText }>`
      select id, name
      from ${sql.id(table)}
      where ${matchesKeyword(text, (pattern) => sql`${names} like ${pattern}`)}
      order by ${name} ->> ${language}, id
      limit ${take}`,
  );
}

// A text with fewer letters, or without a digit, is no part of a number that tells it from others.
const isPartOfNumber = (plain: string) => plain.length >= 4 && /\d/.test(plain);

/** Invoices, receipts, credit notes and certificates by their numbers, those in full first. */
export async function findDocuments(
  database: Database,
  { text, take, maximumMs }: Finding,
  visible: VisibilityCondition,
): Promise<Found['documents']> {
  const plain = plainNumber(text);
  if (!isPartOfNumber(plain)) return [];
  return inTime(
    database,
    maximumMs,
    sql<Found['documents'][number]>`
      select documents.number, documents.kind, requests.number as "requestNumber"
      from (
        select number, kind, request_id
        from invoices
        where ${containsNumber(sql`invoices.number`, plain)}
        union all
        select number, 'certificate', request_id
        from certificates
        where ${containsNumber(sql`certificates.number`, plain)}
      ) as documents
      join requests
        on requests.id = request_id
      where ${visible}
      order by plain_number(documents.number) = ${plain} desc, documents.number desc
      limit ${take}`,
  );
}

/** Payments by their references, or by the numbers of what was issued for them. */
export async function findPayments(
  database: Database,
  { text, take, maximumMs }: Finding,
): Promise<Found['payments']> {
  const plain = plainNumber(text);
  if (!isPartOfNumber(plain)) return [];
  return inTime(
    database,
    maximumMs,
    sql<Found['payments'][number]>`
      select merchant_reference as "merchantReference", status, amount, currency
      from payments
      where id in (${paymentsByNumber(plain)})
      order by id desc
      limit ${take}`,
  );
}
