import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Language } from '@diwan/contract/languages';
import type { RequestGlance } from '@diwan/contract/requests';
import type { Workflow } from '@diwan/contract/workflow';
import { localize } from '../../platform/localize.ts';
import { Refusal } from '../../platform/refusals.ts';
import { ownSecret } from '../../platform/secrets.ts';
import type { Caller } from '../../platform/session.ts';
import type { SmsGateway } from '../../platform/sms.ts';
import type { Paged } from './list-requests.actions.ts';
import { countRequests, selectSummaries, type ListFilter, type Page, type SummaryRow } from './request-lists.store.ts';
import { readMobileNumber, readRequestNumber } from './request-number.ts';
import { describeStatus } from './request-record.actions.ts';
import { visibleToCaller, type RequestsHouse } from './requests.actions.ts';
import { hasRequests, renewCode, returnAttempt, spendAttempt } from './verification-codes.store.ts';
import { verificationText } from './verification-text.ts';
import { visibleToAnybody } from './visibility.store.ts';
import { getStatus } from './workflow.ts';

export interface InquiryHouse extends RequestsHouse {
  sms: SmsGateway;
  report: (error: unknown) => void;
}

export interface Inquiry {
  keyword: string;
  code?: string | undefined;
}

const codeLifeMs = 10 * 60_000;
const codeGapMs = 60_000;
const codeAttempts = 5;
const codesInDay = 10;

async function hashCode(house: InquiryHouse, phoneNumber: string, code: string): Promise<string> {
  return createHmac('sha256', await ownSecret(house.database, 'verification-codes')).update(`${phoneNumber} ${code}`).digest('hex');
}

// Nobody learns from the answer, or from how long it takes, whether a number has requests: only the phone does.
async function sendCode(house: InquiryHouse, phoneNumber: string, language: Language): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hash = await hashCode(house, phoneNumber, code);
  if (!(await hasRequests(house.database, phoneNumber))) return;
  const now = house.now();
  const expires = now.getTime() + codeLifeMs;
  const isFresh = await renewCode(house.database, phoneNumber, { hash, now, expiresAt: new Date(expires), unlessExpiresAfter: new Date(expires - codeGapMs), mostInDay: codesInDay });
  if (isFresh) void house.sms.send(phoneNumber, localize(verificationText(code), language)).catch(house.report);
}

async function checkCode(house: InquiryHouse, phoneNumber: string, code: string): Promise<void> {
  const right = await spendAttempt(house.database, phoneNumber, house.now(), codeAttempts);
  const given = await hashCode(house, phoneNumber, code.trim());
  if (right === undefined || !timingSafeEqual(Buffer.from(right), Buffer.from(given))) throw new Refusal('VerificationCodeWrong');
  await returnAttempt(house.database, phoneNumber, right);
}

function describeGlance(row: SummaryRow, workflow: Workflow, language: Language): RequestGlance {
  return {
    requestNumber: row.number, serviceName: localize(row.service_name, language), governmentAgencyName: localize(row.agency_name, language), ...describeStatus(workflow, row.status_id, language),
    statusDescription: localize(getStatus(workflow, row.status_id).description, language), createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString(),
  };
}

/** Where things stand, by request number or by mobile number. Anybody may ask; a mobile number needs the code that was sent to it. */
export async function inquire(house: InquiryHouse, caller: Caller | undefined, inquiry: Inquiry, page: Page, language: Language): Promise<Paged<RequestGlance>> {
  const number = readRequestNumber(inquiry.keyword);
  const phoneNumber = number === undefined ? readMobileNumber(inquiry.keyword) : undefined;
  if (number === undefined && phoneNumber === undefined) return { items: [], pageNumber: page.pageNumber, totalCount: 0 };
  if (!caller && phoneNumber !== undefined) {
    if (!inquiry.code?.trim()) {
      await sendCode(house, phoneNumber, language);
      throw new Refusal('VerificationCodeRequired');
    }
    await checkCode(house, phoneNumber, inquiry.code);
  }
  const filter: ListFilter = { visible: caller ? visibleToCaller(house, caller) : visibleToAnybody, ...(number === undefined ? { phoneNumber } : { number }) };
  const [rows, totalCount] = await Promise.all([selectSummaries(house.database, filter, page), countRequests(house.database, filter)]);
  const items = await Promise.all(rows.map(async (row) => describeGlance(row, await house.workflow.get(row.workflow_id), language)));
  return { items, pageNumber: page.pageNumber, totalCount };
}
