import type { Database, Transaction } from '#platform/database/database.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { sql } from '#platform/database/sql.ts';
import type { VersionOrigin } from '@diwan/contract/catalogue/service-designs';
import type { ServiceDocument } from '@diwan/contract/catalogue/service-document';
import type { Language } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'service_versions.document': ServiceDocument;
    'service_versions.origin': VersionOrigin;
  }
}

export function selectVersions(
  database: Database | Transaction,
  serviceId: number,
  language: Language,
) {
  return database
    .selectFrom('service_versions')
    .leftJoin('users', 'users.id', 'service_versions.published_by')
    .leftJoin('users as second', 'second.id', 'service_versions.confirmed_by')
    .select(['number', 'origin', 'restored_from', 'published_at', 'asked_at', 'confirmed_at'])
    .select(personName('users', language).as('published_by_name'))
    .select(personName('second', language).as('confirmed_by_name'))
    .where('service_id', '=', serviceId)
    .orderBy('number', 'desc')
    .limit(500)
    .execute();
}

/** A published version; the newest one without a number. */
export async function findVersion(
  database: Database | Transaction,
  serviceId: number,
  number?: number,
): Promise<{ number: number; document: ServiceDocument } | undefined> {
  return database
    .selectFrom('service_versions')
    .select(['number', 'document'])
    .where('service_id', '=', serviceId)
    .$if(number !== undefined, (query) => query.where('number', '=', number ?? 0))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest versions of services, by the id of the service. */
export async function selectNewestVersions(
  transaction: Transaction,
  serviceIds: readonly number[],
): Promise<Map<number, { number: number; document: ServiceDocument }>> {
  const rows = await transaction
    .selectFrom('service_versions')
    .select(['service_id', 'number', 'document'])
    .distinctOn('service_id')
    .where(sql<boolean>`service_id = any(${[...serviceIds]}::int[])`)
    .orderBy('service_id')
    .orderBy('number', 'desc')
    .execute();
  return new Map(rows.map(({ service_id: id, ...version }) => [id, version]));
}

/** The second person of a publication. Times of what was confirmed before they were kept are null. */
export interface Confirmation {
  by: string;
  at: Date | null;
  askedAt: Date | null;
}

interface NewVersion {
  serviceId: number;
  number: number;
  document: ServiceDocument;
  origin: VersionOrigin;
  restoredFrom?: number | undefined;
  publishedBy: string | null;
  confirmation?: Confirmation | undefined;
}

export async function insertVersions(
  transaction: Transaction,
  versions: readonly NewVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  await transaction
    .insertInto('service_versions')
    .values(
      versions.map((version) => ({
        service_id: version.serviceId,
        number: version.number,
        document: JSON.stringify(version.document),
        origin: version.origin,
        restored_from: version.restoredFrom ?? null,
        published_by: version.publishedBy,
        asked_at: version.confirmation?.askedAt ?? null,
        confirmed_by: version.confirmation?.by ?? null,
        confirmed_at: version.confirmation?.at ?? null,
      })),
    )
    .execute();
}
