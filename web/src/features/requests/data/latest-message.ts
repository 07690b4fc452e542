import type { HistoryEntry, RequestRecord } from '@diwan/contract/requests/requests';

/**
 * The last history entry if staff wrote something in it and the request still has the status that
 * the entry set. The reasons of fines and fees stand beside their amounts.
 */
export function findLatestMessage(record: RequestRecord): HistoryEntry | undefined {
  const entry = record.history.at(-1);
  return entry &&
    entry.statusId === record.statusId &&
    ((entry.reasons.length > 0 && !entry.charged) || entry.message !== '' || entry.marks.length > 0)
    ? entry
    : undefined;
}
