import { loadItem, removeItem, storeItem } from '#lib/browser/storage.ts';
import { findStoredDocuments } from '#lib/documents/document-storage.ts';
import { isDraft } from './draft.ts';

/** The scope of a draft: a service, by its id, or a returned request. */
type DraftScope = number | `correction-${number}` | `correction-${number}:${number}`;

/** The scope of the corrections to a request: of one version of it, or of all. */
export function correctionScope(requestId: number): `correction-${number}`;
export function correctionScope(
  requestId: number,
  version: number,
): `correction-${number}:${number}`;
export function correctionScope(requestId: number, version?: number): DraftScope {
  return version === undefined ? `correction-${requestId}` : `correction-${requestId}:${version}`;
}

const sendingKey = (scope: DraftScope, ssid: string) => `sending:${ssid}:${scope}` as const;

/** Remembers in this tab that a draft is being sent: a reload may lose the reply. */
export function storeSending(serviceId: number, ssid: string, isSending: boolean): void {
  if (isSending) storeItem('session', sendingKey(serviceId, ssid), 'yes');
  else removeItem('session', sendingKey(serviceId, ssid));
}

/** Whether a draft of the service was being sent when this tab last showed it. */
export const wasBeingSent = (scope: DraftScope, ssid: string): boolean =>
  loadItem('session', sendingKey(scope, ssid)) !== null;

/** The drafts of this user for a scope, oldest first. */
export const findStoredDrafts = (scope: DraftScope, ssid: string) =>
  findStoredDocuments(scope, ssid, isDraft);
