import type { Language } from '@diwan/contract/wire/languages';
import type { RequestGlance } from '@diwan/contract/requests/requests';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { localize } from '../../../platform/core/localize.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import type { SmsGateway } from '../../../platform/messages/sms.ts';
import type { VerificationCodes } from '../../../platform/auth/verification-codes.ts';
import { verificationText } from '../../../platform/auth/verification-text.ts';
import type { Paged } from './list-requests.actions.ts';
import {
  countRequests,
  selectSummaries,
  type ListFilter,
  type Page,
  type SummaryRow,
} from './request-lists.store.ts';
import { readMobileNumber, readRequestNumber } from '../model/request-number.ts';
import { describeStatus } from '../record/request-record.actions.ts';
import type { RequestsContext } from '../requests.actions.ts';
import { hasRequests } from '../model/request-phones.store.ts';
import { visibleToAnybody, waysToSee } from '../model/visibility.store.ts';
import { getStatus } from '../workflow/workflow.ts';

export interface InquiryContext extends RequestsContext {
  sms: SmsGateway;
  codes: VerificationCodes;
  report: (error: unknown) => void;
}

export interface Inquiry {
  keyword: string;
  code?: string | undefined;
}

// One phone has not as many.
const mostCounted = 10_000;

// Nobody learns from the answer, or from how long it takes, whether a number has requests: only the
// phone does.
async function sendCode(
  context: InquiryContext,
  phoneNumber: string,
  language: Language,
): Promise<void> {
  const { codes, now } = context;
  const code = codes.make();
  const isSent =
    (await hasRequests(context.database, phoneNumber)) &&
    (await codes.renew('inquiry', phoneNumber, code, now()));
  if (isSent) await context.sms.send(phoneNumber, localize(verificationText(code), language));
}

// A right answer costs no attempt: the same code turns the pages of the list.
async function checkCode(
  { codes, now }: InquiryContext,
  phoneNumber: string,
  code: string,
): Promise<void> {
  if (!(await codes.check('inquiry', phoneNumber, code, now())))
    throw new Refusal('VerificationCodeWrong');
}

function describeGlance(row: SummaryRow, workflow: Workflow, language: Language): RequestGlance {
  return {
    requestNumber: row.number,
    serviceName: localize(row.service_name, language),
    governmentAgencyName: localize(row.agency_name, language),
    ...describeStatus(workflow, row.status_id, language),
    statusDescription: localize(getStatus(workflow, row.status_id).description, language),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * Where things stand, by request number or by mobile number. Anybody may ask; a mobile number needs
 * the code that was sent to it.
 */
export async function inquire(
  context: InquiryContext,
  caller: Caller | undefined,
  inquiry: Inquiry,
  page: Page,
  language: Language,
): Promise<Paged<RequestGlance>> {
  const number = readRequestNumber(inquiry.keyword);
  const phoneNumber = number === undefined ? readMobileNumber(inquiry.keyword) : undefined;
  if (number === undefined && phoneNumber === undefined)
    return { items: [], pageNumber: page.pageNumber, totalCount: 0 };
  if (!caller && phoneNumber !== undefined) {
    if (!inquiry.code?.trim()) {
      void sendCode(context, phoneNumber, language).catch(context.report);
      throw new Refusal('VerificationCodeRequired');
    }
    await checkCode(context, phoneNumber, inquiry.code);
  }
  const filter: ListFilter = {
    ways: caller ? waysToSee(caller) : [visibleToAnybody],
    ...(number === undefined ? { phoneNumber } : { number }),
  };
  const [rows, totalCount] = await Promise.all([
    selectSummaries(context.database, filter, page),
    countRequests(context.database, filter, mostCounted),
  ]);
  const items = await Promise.all(
    rows.map(async (row) =>
      describeGlance(row, await context.workflow.get(row.workflow_id), language),
    ),
  );
  return { items, pageNumber: page.pageNumber, totalCount };
}
