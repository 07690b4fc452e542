import { listFeeProblems } from '@diwan/contract/catalogue/check-fees';
import { eligibilityRules } from '@diwan/contract/catalogue/eligibility';
import { feeRule } from '@diwan/contract/catalogue/fees';
import { findFormProblems } from '@diwan/contract/forms/check-form';
import { attachmentRule, serviceForm } from '@diwan/contract/forms/forms';
import { findFigureProblems } from '../features/reports/fold-figures.actions.ts';
import type { Database } from '../platform/database/database.ts';
import * as store from './find-integrity-problems.store.ts';

/** Contradictions between requests, their histories, counts, figures and documents. */
export async function findRequestProblems(database: Database): Promise<string[]> {
  return [...(await store.findWrongRequests(database)), ...(await findFigureProblems(database))];
}

// Forms are checked as the designer and the import check them.
async function findBrokenForms(database: Database): Promise<string[]> {
  const problems: string[] = [];
  let last = 0;
  for (;;) {
    const rows = await store.selectFormsAfter(database, last);
    if (rows.length === 0) return problems;
    last = rows.at(-1)?.id ?? 0;
    for (const { replaced_name: name, form, attachments, fees, eligibility } of rows) {
      const add = (problem: string) => problems.push(`service ${name}: ${problem}`);
      const isReadable =
        serviceForm.safeParse(form).success &&
        attachmentRule.array().safeParse(attachments).success;
      if (!isReadable) add('its form or its documents cannot be read');
      else
        for (const problem of findFormProblems(
          form,
          attachments.map((rule) => rule.name),
        ))
          add(problem);
      if (!feeRule.array().safeParse(fees).success) add('its fees cannot be read');
      else if (isReadable) for (const { message } of listFeeProblems(form, fees)) add(message);
      if (!eligibilityRules.safeParse(eligibility).success)
        add('its eligibility rules cannot be read');
    }
  }
}

/**
 * Every contradiction in the database: references and forms of the catalogue, requests, counts,
 * figures, documents, the ledger and invoices. Empty when there are none.
 */
export async function findIntegrityProblems(database: Database): Promise<string[]> {
  return [
    ...(await store.findBrokenReferences(database)),
    ...(await findBrokenForms(database)),
    ...(await findRequestProblems(database)),
    ...(await store.findLedgerProblems(database)),
    ...(await store.findInvoiceProblems(database)),
  ];
}
