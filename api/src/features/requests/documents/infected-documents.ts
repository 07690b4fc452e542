import type { Transaction } from '#platform/database/database.ts';
import { findTargetTitle } from '@diwan/contract/requests/return-marks';
import { selectCurrentDocuments } from '../model/request-documents.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { getForm, lockVisible, visibleToEveryone } from '../model/requests.store.ts';
import { insertRequestChanged } from '../record/viewers.actions.ts';

/**
 * Notifies the applicant of current documents of their request that were found infected after it
 * was sent. Documents of staff are not included, since the applicant cannot replace them.
 */
export async function notifyInfected(
  { notifier }: Pick<RequestsContext, 'notifier'>,
  transaction: Transaction,
  requestId: number,
): Promise<void> {
  const row = await lockVisible(transaction, requestId, visibleToEveryone);
  if (!row) return;
  await insertRequestChanged(row)?.execute(transaction);
  const { form, attachment_rules: rules } = await getForm(transaction, requestId);
  const names = (await selectCurrentDocuments(transaction, requestId))
    .filter(({ scan_state: state }) => state === 'infected')
    .map(({ name }) => name);
  const documents = [...new Set(names)].flatMap(
    (name) => findTargetTitle(form, rules, row.answers, `attachments.${name}`) ?? [],
  );
  if (documents.length > 0)
    await notifier.notify(transaction, { requestId, notification: 'documentInfected', documents });
}
