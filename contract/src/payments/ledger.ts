/**
 * The accounts of the ledger. `receivable`: what applicants owe; a credit is owed to them.
 * `providerCash`: what a payment provider holds. `bank`: what reached or left the bank account.
 * `differences`: what settlement files contradict, as an admin decided.
 */
export const ledgerAccounts = [
  'receivable',
  'providerCash',
  'bank',
  'vat',
  'revenue',
  'refunds',
  'providerCharges',
  'differences',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/**
 * `received`: money arrived. `sale`: a payment counts as paid. `refund`: money went back.
 * `settled`: a line of a settlement file. `correction`: an admin resolved a difference.
 */
export const ledgerEntryKinds = ['received', 'sale', 'refund', 'settled', 'correction'] as const;
export type LedgerEntryKind = (typeof ledgerEntryKinds)[number];
