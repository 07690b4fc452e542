import type { Database, Transaction } from '#platform/database/database.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'logos.content': Buffer;
  }
}

const uploadedPath = '/logos/uploaded/';
export const isUploaded = (path: string): boolean => path.startsWith(uploadedPath);

/** Whether a logo exists; the files of the portal are not checked. */
export async function isKnownLogo(
  database: Database | Transaction,
  path: string,
): Promise<boolean> {
  return !isUploaded(path) || (await findLogo(database, path)) !== undefined;
}

/** The content of an uploaded logo by its path. */
export async function findLogo(
  database: Database | Transaction,
  path: string,
): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('logos')
    .select('content')
    .where('name', '=', path.slice(uploadedPath.length))
    .executeTakeFirst();
  return row?.content;
}

/** Stores a logo once and returns its path. */
export async function insertLogo(
  database: Database | Transaction,
  name: string,
  content: Buffer,
  userId: string | null,
): Promise<string> {
  await database
    .insertInto('logos')
    .values({ name, content, created_by: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return `${uploadedPath}${name}`;
}
