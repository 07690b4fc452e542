import { checkAnswers, cleanText } from '@diwan/contract/check-answers';
import type { Answers } from '@diwan/contract/forms';
import { languages, type LocalizedText } from '@diwan/contract/languages';
import type { RequestAction } from '@diwan/contract/workflow';
import type { Transaction } from '../../platform/database.ts';
import { Refusal, ValidationRefusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import { contactOf } from './create-request.actions.ts';
import { dayInDubai } from './dubai-days.ts';
import { actorOf, moveRequest, type Step } from './move-request.ts';
import { checkDocuments, lockResults } from './request-documents.ts';
import { bindDocuments, unbindOtherDocuments } from './request-documents.store.ts';
import { searchTextOf } from './request-search-text.ts';
import { visibleToCaller, type RequestsHouse } from './requests.actions.ts';
import * as store from './requests.store.ts';
import { nextStatus } from './workflow.ts';

/** Which request, and the version that the caller saw; a newer one refuses the action. */
export interface Target {
  requestId: number;
  version?: number | undefined;
}

/** A message as it was typed: what is blank is not there. */
export type TypedMessage = { [Language in keyof LocalizedText]?: string | undefined };

export interface Words {
  reasons?: readonly number[];
  message?: TypedMessage;
}

type Extras = Pick<Step, 'reasons' | 'message' | 'changes'>;

// The order of an action: who may know of the request, whether it is still as they saw it, whether the map lets them, and only then what they sent.
async function take(house: RequestsHouse, caller: Caller, target: Target, action: RequestAction, prepare: (transaction: Transaction, row: store.RequestRow) => Promise<Extras>): Promise<void> {
  await house.database.transaction().execute(async (transaction) => {
    const row = await store.lockVisible(transaction, target.requestId, visibleToCaller(house, caller));
    if (!row) throw new Refusal('RequestNotFound');
    if (target.version !== undefined && target.version !== row.version) throw new Refusal('VersionHasChanged');
    const workflow = await house.workflow.get(row.workflow_id);
    const { to, role } = nextStatus(workflow, action, row.status_id, caller, row);
    const extras = await prepare(transaction, row);
    await moveRequest(transaction, workflow, row, { action, to, actor: actorOf(caller, role), at: house.now(), ...extras });
  });
  house.announce();
}

// The applicant reads the message in a language of their own choosing, so it is there in all three or not at all.
function readMessage(typed: TypedMessage | undefined, isRequired: boolean): LocalizedText | null {
  const words = languages.map((language) => cleanText(typed?.[language] ?? '', true));
  if (!isRequired && words.every((text) => text === '')) return null;
  if (words.includes('')) throw new Refusal('MessageIncomplete');
  return Object.fromEntries(languages.map((language, index) => [language, words[index]])) as LocalizedText;
}

async function checkReasons(transaction: Transaction, reasons: readonly number[]): Promise<number[]> {
  const known = (await store.selectRejectionReasons(transaction)).map(({ id }) => id);
  if (reasons.some((reason) => !known.includes(reason))) throw new Refusal('RejectionReasonNotFound');
  return [...new Set(reasons)];
}

/** Receive: who receives a request holds it. */
export function receive(house: RequestsHouse, caller: Caller, target: Target): Promise<void> {
  return take(house, caller, target, 'receive', async () => ({ changes: { holder_id: caller.userId } }));
}

export function release(house: RequestsHouse, caller: Caller, target: Target): Promise<void> {
  return take(house, caller, target, 'release', async () => ({ changes: { holder_id: null } }));
}

export function approve(house: RequestsHouse, caller: Caller, target: Target): Promise<void> {
  return take(house, caller, target, 'approve', async () => ({}));
}

export function accept(house: RequestsHouse, caller: Caller, target: Target): Promise<void> {
  return take(house, caller, target, 'accept', async () => ({}));
}

export function giveBack(house: RequestsHouse, caller: Caller, target: Target, words: Words & { serviceProviderRequestNumber?: string | undefined }): Promise<void> {
  return take(house, caller, target, 'return', async (transaction) => ({
    reasons: await checkReasons(transaction, words.reasons ?? []), message: readMessage(words.message, true), changes: providerNumber(words.serviceProviderRequestNumber),
  }));
}

export function reject(house: RequestsHouse, caller: Caller, target: Target, words: Words): Promise<void> {
  return take(house, caller, target, 'reject', async (transaction) => ({ reasons: await checkReasons(transaction, words.reasons ?? []), message: readMessage(words.message, true) }));
}

/** Submitted: the request is done; `results` are the documents that it led to. */
export function complete(house: RequestsHouse, caller: Caller, target: Target, given: Words & { results?: readonly string[] | undefined; serviceProviderRequestNumber?: string | undefined }): Promise<void> {
  return take(house, caller, target, 'submitted', async (transaction, row) => {
    const message = readMessage(given.message, false);
    await bindDocuments(transaction, await lockResults(transaction, caller, row.service_id, given.results ?? []), row.id, true);
    return { message, changes: providerNumber(given.serviceProviderRequestNumber) };
  });
}

function providerNumber(typed: string | undefined): store.RequestChanges {
  const number = cleanText(typed ?? '', false);
  return number ? { service_provider_request_number: number } : {};
}

/** What a person sends to mend a request: everything again, documents that stay included. */
export interface Mended {
  answers: Answers;
  attachmentIds: readonly string[];
  hasAgreed?: boolean | undefined;
}

/** Update: judged by the form and the rules that the request began with; it is nobody's in particular again. */
export function mend(house: RequestsHouse, caller: Caller, target: Target, mended: Mended): Promise<void> {
  return take(house, caller, target, 'update', async (transaction, row) => {
    if (mended.hasAgreed === false) throw new Refusal('TermsNotAccepted');
    const checked = checkAnswers(row.form, mended.answers, dayInDubai(house.now()));
    const documents = await checkDocuments(transaction, caller, { ids: mended.attachmentIds, serviceId: row.service_id, rules: row.attachment_rules, requestId: row.id });
    const issues = [...checked.issues, ...documents];
    if (issues.length > 0) throw new ValidationRefusal(issues);
    await unbindOtherDocuments(transaction, row.id, mended.attachmentIds);
    await bindDocuments(transaction, mended.attachmentIds, row.id, false);
    const contact = contactOf(checked.answers, { fullName: row.applicant_name, phoneNumber: row.phone_number });
    const names = await store.getServiceNames(transaction, row.service_id);
    const searchText = searchTextOf({ number: row.number, ...contact, serviceName: names.service_name, agencyName: names.agency_name });
    return { changes: { answers: JSON.stringify(checked.answers), applicant_name: contact.applicantName, phone_number: contact.phoneNumber, search_text: searchText, holder_id: null } };
  });
}
