import type { Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { CompanyDetails } from '@diwan/contract/forms/parties';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** Whom the invoices of a request concern: its agency, and its company or the person who sent it. */
export interface Parties {
  agencyId: number;
  /** Null where a person sent the request for themselves. */
  companyName: LocalizedText | null;
  licenceNumber: string | null;
  licenceAuthority: string | null;
  trn: string | null;
  street: string | null;
  city: string | null;
  emirate: CompanyDetails['emirate'] | null;
  /** Of the person: verified, else as they typed it. */
  emiratesId: string | null;
}

/** The parties of a request that exists. */
export async function findParties(transaction: Transaction, requestId: number): Promise<Parties> {
  const { rows } = await sql<Parties>`
    select requests.agency_id as "agencyId", companies.name as "companyName",
      companies.licence_number as "licenceNumber",
      companies.licence_authority as "licenceAuthority", companies.trn, companies.street,
      companies.city, companies.emirate,
      coalesce(users.emirates_id, users.typed_emirates_id) as "emiratesId"
    from requests
    join users
      on users.id = requests.user_id
    left join companies
      on companies.id = requests.company_id
    where requests.id = ${requestId}`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error(`request ${requestId} has no parties`);
  return row;
}
