import {
  allowedActions,
  getStatus,
  type RequestInStatus,
  needsAnotherApprover,
} from '#features/workflow/workflow-rules.actions.ts';
import { isPortalStaff, isStaff, type Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import type { ActedFor } from '@diwan/contract/people/acting';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { nameForStaff, type Workflow } from '@diwan/contract/requests/workflow';
import type { EveryField } from '@diwan/contract/wire/call';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { ServiceNames, StoredActedFor } from '../model/requests.store.ts';

/** The columns of a request that its summary shows. */
interface SummaryRow extends RequestInStatus {
  id: number;
  number: string;
  service_id: number;
  workflow_id: number;
  version: number;
  total: number;
  applicant_name: string;
  holder_name: string | null;
  holder_name_ar: string | null;
  sent_by: string | null;
  sent_by_ar: string | null;
  acted_for: StoredActedFor | null;
  hold_until: string | null;
  hold_reason: LocalizedText | null;
}

/**
 * A summary with every field of the contract, except for those that `describeDueDay` and
 * `limitToOwnerActions` add.
 */
type DescribedSummary = EveryField<
  Omit<RequestSummary, 'promisedBy' | 'workingDaysLeft' | 'isOwnCounterRequest'>
>;

/** Who sees a description, and in which language. */
export interface Viewing {
  caller: Caller;
  language: Language;
}

/** The due day of a request for a caller, and the working days until it by the request's calendar. */
export function describeDueDay(
  row: { due_on: string | null; promised_on: string | null },
  time: WorkingTime,
  caller: Caller,
): Pick<RequestSummary, 'promisedBy' | 'workingDaysLeft'> {
  const due = isStaff(caller) ? row.due_on : row.promised_on;
  return due === null
    ? {}
    : { promisedBy: due, workingDaysLeft: time.daysUntil(todayInDubai(), due) };
}

/** A status as the viewer reads it: staff and applicants may have different names for it. */
export function describeStatus(
  workflow: Workflow,
  statusId: number,
  { caller, language }: { caller: Caller | undefined; language: Language },
): Pick<RequestSummary, 'statusId' | 'statusName' | 'statusTone'> {
  const status = getStatus(workflow, statusId);
  const name = caller && isStaff(caller) ? nameForStaff(status) : status.name;
  return { statusId, statusName: localize(name, language), statusTone: status.tone };
}

/** For whom somebody acted; `ownerId` is the user whose request it is. */
export function describeActedFor(
  { by, name }: StoredActedFor,
  ownerId: string,
  { caller, language }: Viewing,
): ActedFor {
  return {
    by,
    name: localize(name, language),
    isYou: by === 'counter' && ownerId === caller.userId,
  };
}

interface DescribedWith {
  service: ServiceNames;
  /** In fils. */
  paid: number;
  /** ISO times. */
  times: Pick<RequestSummary, 'createdAt' | 'updatedAt'>;
}

/** A request as lists show it to the caller. */
export function describeSummary(
  row: SummaryRow,
  { service, paid, times: { createdAt, updatedAt } }: DescribedWith,
  workflow: Workflow,
  viewing: Viewing,
): DescribedSummary {
  const { caller, language } = viewing;
  const { statusId, statusName, statusTone } = describeStatus(workflow, row.status_id, viewing);
  return {
    requestId: row.id,
    requestNumber: row.number,
    serviceId: row.service_id,
    serviceName: localize(service.service_name, language),
    governmentAgency: {
      id: service.agency_id,
      name: localize(service.agency_name, language),
      logo: service.agency_logo,
    },
    statusId,
    statusName,
    statusTone,
    applicantName: row.applicant_name,
    createdAt,
    updatedAt,
    total: row.total,
    due: Math.max(0, row.total - paid),
    version: row.version,
    onHold:
      row.hold_until !== null && row.hold_reason
        ? { until: row.hold_until, reason: localize(row.hold_reason, language) }
        : undefined,
    holder:
      isPortalStaff(caller) && row.holder_id !== null
        ? {
            name: localizePersonName(
              { full_name: row.holder_name ?? '', full_name_ar: row.holder_name_ar },
              language,
            ),
            isYou: row.holder_id === caller.userId,
          }
        : undefined,
    sentBy:
      row.sent_by !== null && row.acted_for
        ? {
            name: localizePersonName(
              { full_name: row.sent_by, full_name_ar: row.sent_by_ar },
              language,
            ),
            actedFor: describeActedFor(row.acted_for, row.user_id, viewing),
          }
        : undefined,
    needsAnotherApprover: needsAnotherApprover(workflow, caller, row) ? true : undefined,
    allowedActions: allowedActions(workflow, caller, row),
  };
}
