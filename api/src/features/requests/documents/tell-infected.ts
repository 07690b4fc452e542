import { titleOfTarget } from '@diwan/contract/requests/mark-targets';
import type { Transaction } from '../../../platform/database/database.ts';
import { selectCurrentDocuments } from '../model/request-documents.store.ts';
import type { RequestsContext } from '../requests.actions.ts';
import { lockVisible } from '../model/requests.store.ts';
import { visibleToAnybody } from '../model/visibility.store.ts';

/**
 * Tells the applicant which of the documents that their request stands on were found harmful since
 * it was sent. What staff put there is not for them to mend.
 */
export async function tellInfected(
  { notices }: Pick<RequestsContext, 'notices'>,
  transaction: Transaction,
  requestId: number,
): Promise<void> {
  const row = await lockVisible(transaction, requestId, visibleToAnybody);
  if (!row) return;
  const names = (await selectCurrentDocuments(transaction, requestId))
    .filter(({ scan_state: state }) => state === 'infected')
    .map(({ name }) => name);
  const documents = [...new Set(names)].flatMap(
    (name) =>
      titleOfTarget(row.form, row.attachment_rules, row.answers, `attachments.${name}`) ?? [],
  );
  if (documents.length > 0)
    await notices.tellNews(transaction, { requestId, news: 'documentInfected', documents });
}
