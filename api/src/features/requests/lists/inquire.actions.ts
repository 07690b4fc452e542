import { getStatus } from '#features/workflow/workflow-rules.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import type { VerificationCodes } from '#platform/auth/verification-codes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { readUtcText } from '#platform/database/utc-text.ts';
import type { SmsGateway } from '#platform/messages/sms.ts';
import type { PublicRequestStatus } from '@diwan/contract/requests/request-lists';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { EveryField } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { readMobileNumber, readRequestNumber } from '../model/request-number.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { type ServiceNames, visibleToEveryone } from '../model/requests.store.ts';
import { visibilityConditions } from '../model/visibility.actions.ts';
import { describeStatus } from '../record/request-summary.ts';
import { type ListFilter } from './list-filter.store.ts';
import type { Paged } from './list-requests.actions.ts';
import {
  countUpTo,
  hasRequests,
  selectPage,
  type ListedRow,
  type Page,
} from './request-lists.store.ts';
import { readServiceNames } from './service-names.ts';

const t = createTranslator('account-messages');

export interface InquiryContext extends RequestsContext {
  sms: SmsGateway;
  codes: VerificationCodes;
  /** Logs an error of sending. */
  report: (error: unknown) => void;
}

/** A question about the status of requests: a request number or a mobile number. */
interface Inquiry {
  keyword: string;
  /** The code that was sent to the mobile number. */
  code?: string | undefined;
  page: Page;
}

// More than any phone number has.
const maximumCounted = 10_000;

// The reply must not reveal, by its content or its time, whether a number has requests. Only the
// owner of the phone gets to know.
async function sendCode(
  context: InquiryContext,
  phoneNumber: string,
  language: Language,
): Promise<void> {
  const { codes, now } = context;
  const code = codes.generate();
  const isSent =
    (await hasRequests(context.database, phoneNumber)) &&
    (await codes.issue('inquiry', phoneNumber, code, now()));
  if (isSent) await context.sms.send(phoneNumber, t('verificationCode.short', language, { code }));
}

// A correct code can be used again: it also opens the other pages of the list.
async function checkCode(
  { codes, now }: InquiryContext,
  phoneNumber: string,
  code: string,
): Promise<void> {
  // guard: code of a visitor who inquires by mobile number
  if (!(await codes.check('inquiry', phoneNumber, code, now())))
    throw new Refusal('VerificationCodeWrong');
}

function describePublicStatus(
  row: ListedRow & ServiceNames,
  workflow: Workflow,
  language: Language,
): PublicRequestStatus {
  const status = describeStatus(workflow, row.status_id, { caller: undefined, language });
  const described: EveryField<Omit<PublicRequestStatus, 'promisedBy'>> = {
    requestNumber: row.number,
    serviceName: localize(row.service_name, language),
    governmentAgencyName: localize(row.agency_name, language),
    ...status,
    statusDescription: localize(getStatus(workflow, row.status_id).description, language),
    createdAt: readUtcText(row.created_at),
    updatedAt: readUtcText(row.updated_at),
  };
  return { ...described, ...(row.promised_on === null ? {} : { promisedBy: row.promised_on }) };
}

/**
 * The public status of requests, by request number or by mobile number. Callers who are not signed
 * in need the code that was sent to the mobile number. Throws VerificationCodeRequired,
 * VerificationCodeWrong.
 */
export async function inquire(
  context: InquiryContext,
  caller: Caller | undefined,
  { keyword, code, page }: Inquiry,
  language: Language,
): Promise<Paged<PublicRequestStatus>> {
  const { pageNumber } = page;
  const number = readRequestNumber(keyword);
  const phoneNumber = number === undefined ? readMobileNumber(keyword) : undefined;
  if (number === undefined && phoneNumber === undefined)
    return { items: [], pageNumber, totalCount: 0 };
  if (!caller && phoneNumber !== undefined) {
    if (!code?.trim()) {
      void sendCode(context, phoneNumber, language).catch(context.report);
      throw new Refusal('VerificationCodeRequired');
    }
    await checkCode(context, phoneNumber, code);
  }
  const filter: ListFilter = {
    visibility: caller ? visibilityConditions(caller) : [visibleToEveryone],
    ...(number === undefined ? { phoneNumber } : { number }),
  };
  const { rows, count: totalCount } = await selectPage(context.database, filter, page, {
    total: countUpTo(filter, maximumCounted),
    readerId: null,
  });
  const findNames = await readServiceNames(context, rows);
  const items = await Promise.all(
    rows.map(async (row) =>
      describePublicStatus(
        { ...row, ...(findNames(row) as ServiceNames) },
        await context.workflow.get(row.workflow_id),
        language,
      ),
    ),
  );
  return { items, pageNumber, totalCount };
}
