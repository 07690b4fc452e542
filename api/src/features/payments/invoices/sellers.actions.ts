import type { Config } from '#config.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { type Emirate, emirates } from '@diwan/contract/forms/emirates';
import {
  findMissingOfSeller,
  type saveSeller,
  type Seller,
} from '@diwan/contract/payments/sellers';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { emirateCodes, type InvoiceContent, type InvoiceParty } from './invoices.store.ts';
import * as store from './sellers.store.ts';

const translate = createTranslator('invoices');

/** A number that looks like one of the UAE and that nobody has. */
export const demoTrn = '100000000000003';

/** The emirate of a code, as `emirates` of the contract name it. */
export const emirateOf = (code: string): Emirate | undefined =>
  emirates.find((each) => emirateCodes[each] === code);

/** The operator where none is stored: the settings, or the demo's example. */
export interface ConfiguredOperator {
  seller: Omit<Seller, 'legalName' | 'version'>;
  isDemo: boolean;
}

/** The operator of the settings; in the sandbox an example. */
export function sellerOf(
  config: Pick<
    Config,
    'INVOICE_TRN' | 'INVOICE_STREET' | 'INVOICE_CITY' | 'INVOICE_EMIRATE' | 'SANDBOX'
  >,
): ConfiguredOperator {
  const { INVOICE_TRN: trn, INVOICE_STREET: street, SANDBOX } = config;
  const { INVOICE_CITY: city, INVOICE_EMIRATE: code } = config;
  const isDemo = SANDBOX === 'on';
  const emirate = code && emirateOf(code);
  const nowhere = { street: '', city: '', emirate: '' } as const;
  const example = { street: 'Example Street 1', city: 'Dubai', emirate: 'dubai' } as const;
  const address =
    street && city && emirate ? { street, city, emirate } : isDemo ? example : nowhere;
  const decision = { kind: 'cabinetDecision', number: 'DEMO-1' } as const;
  return {
    isDemo,
    seller: {
      isOwnSeller: false,
      trn: trn ?? (isDemo ? demoTrn : ''),
      ...address,
      registrationKind: isDemo ? decision.kind : '',
      registrationNumber: isDemo ? decision.number : '',
      registrationAuthority: '',
    },
  };
}

const fromRow = (row: store.SellerRow): Seller => ({
  ...(row.agency_id === null ? {} : { agencyId: row.agency_id }),
  isOwnSeller: row.is_own_seller,
  legalName: row.legal_name,
  street: row.street,
  city: row.city,
  emirate: row.emirate,
  trn: row.trn,
  registrationKind: row.registration_kind,
  registrationNumber: row.registration_number,
  registrationAuthority: row.registration_authority,
  version: row.version,
});

const configured = ({ seller }: ConfiguredOperator): Seller => ({
  ...seller,
  legalName: localizedText(translate, 'document.operator'),
  version: 0,
});

/** The operator and the stored agencies, as admins see them. */
export async function listSellers(
  database: Database,
  operator: ConfiguredOperator,
): Promise<Seller[]> {
  const rows = await store.selectSellers(database);
  const sellers = rows.map((row) => ({
    ...fromRow(row),
    ...(row.agency_name ? { agencyName: row.agency_name } : {}),
  }));
  return sellers.some(({ agencyId }) => agencyId === undefined)
    ? sellers
    : [configured(operator), ...sellers];
}

/** Stores what invoices say about a seller from now on. Throws NotFound, RecordHasChanged. */
export async function changeSeller(
  database: Database,
  author: ChangeAuthor,
  sent: BodyOf<typeof saveSeller>,
): Promise<void> {
  const agencyId = sent.agencyId ?? null;
  const missing = findMissingOfSeller(sent);
  if (missing.length > 0)
    throw new ValidationRefusal(missing.map((field) => ({ field, code: 'required' })));
  await inTransaction(database, async (transaction) => {
    if (agencyId !== null && !(await store.findAgencyName(transaction, agencyId)))
      throw new Refusal('NotFound');
    const before = await store.findSeller(transaction, agencyId);
    const row = {
      agency_id: agencyId,
      // The operator sells what no agency sells.
      is_own_seller: agencyId !== null && sent.isOwnSeller,
      legal_name: sent.legalName,
      street: sent.street,
      city: sent.city,
      emirate: sent.emirate,
      trn: sent.trn,
      registration_kind: sent.registrationKind,
      registration_number: sent.registrationNumber,
      registration_authority: sent.registrationAuthority,
      version: sent.version,
    };
    if (!(await store.writeSeller(transaction, row))) throw new Refusal('RecordHasChanged');
    const shown = (stored: store.SellerRow) => {
      const { version: _version, agencyId: _agencyId, ...fields } = fromRow(stored);
      return fields;
    };
    await recordChange(transaction, author, {
      entity: 'seller',
      entityId: agencyId ?? 'operator',
      name: sent.legalName,
      action: before ? 'changed' : 'created',
      ...(before ? { before: shown(before) } : {}),
      after: shown({ ...row, id: 0 }),
    });
  });
}

/** A postal address as documents store it; missing where a part of it is not given. */
export const addressOf = ({
  street,
  city,
  emirate,
}: Pick<Seller, 'street' | 'city' | 'emirate'>): Pick<InvoiceParty, 'address'> =>
  street && city && emirate ? { address: { street, city, emirate: emirateCodes[emirate] } } : {};

/** The sellers of a request: the operator, and its agency where its data are stored. */
export interface InvoiceSellers {
  operator: InvoiceContent['seller'];
  agency?: { seller: InvoiceContent['seller']; isOwnSeller: boolean };
}

/** Who may sell the lines of a request of an agency, in the language of the request. */
export async function findSellers(
  transaction: Transaction,
  operator: ConfiguredOperator,
  { agencyId, language }: { agencyId: number; language: Language },
): Promise<InvoiceSellers> {
  const shown = (seller: Seller): InvoiceContent['seller'] => {
    const { registrationKind: kind, registrationNumber: number } = seller;
    const authority = seller.registrationAuthority;
    return {
      name: localize(seller.legalName, language),
      trn: seller.trn,
      isDemo: operator.isDemo,
      ...addressOf(seller),
      ...(kind ? { registration: { kind, number, ...(authority ? { authority } : {}) } } : {}),
    };
  };
  const stored = await store.findSeller(transaction, null);
  const agency = await store.findSeller(transaction, agencyId);
  return {
    operator: shown(stored ? fromRow(stored) : configured(operator)),
    ...(agency
      ? { agency: { seller: shown(fromRow(agency)), isOwnSeller: agency.is_own_seller } }
      : {}),
  };
}
