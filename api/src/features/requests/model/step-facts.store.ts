import {
  notificationFacts,
  type NotificationFacts,
} from '#features/messages/notifications.actions.ts';
import type { PersonNames } from '#platform/core/localize.ts';
import type { Transaction } from '#platform/database/database.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import { getAction, requestActions } from '@diwan/contract/requests/actions';
import type { ActorKind, HistoryAction } from '@diwan/contract/requests/workflow';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { pendingActionOf, type PendingAction } from './pending-actions.store.ts';
import { applicantLanguage, issuesCertificate, overpaidOf } from './requests.store.ts';

/** When the clock of the promised working days began, and the holds since then; times in ISO 8601. */
export interface RequestClock {
  begunAt: string;
  /** `endedAt` is null while a hold lasts. */
  holds: readonly { begunAt: string; endedAt: string | null }[];
}

const restartingActions = requestActions.filter((action) => getAction(action).restartsClock);

/**
 * The query of the clock of a request. It begins when a request is sent, paid or corrected, and after a
 * granted objection.
 */
export const clockOf = (requestId: number | Sql<number>): Sql<RequestClock | null> => sql`(
  select jsonb_build_object('begunAt', begun.at, 'holds', (
    select coalesce(jsonb_agg(jsonb_build_object('begunAt', begun_at, 'endedAt', ended_at)), '[]')
    from request_holds
    where request_holds.request_id = begun.request_id
      and request_holds.history_id > begun.id
  ))
  from request_history as begun
  where begun.request_id = ${requestId}
    and begun.action = any(${restartingActions}::text[])
  order by begun.id desc
  limit 1
)`;

/** What a step needs beside the row of the request. */
export interface StepFacts extends NotificationFacts {
  agencyId: number;
  /** Whether the user has acted on the request at a counter, for its owner. */
  hasActedAtCounter: boolean;
  /** The amount paid beyond what was due, like `sumOverpaid`. */
  overpaid: number;
  /** The action that waits on the request. */
  pending: PendingAction | null;
  /** Whether the service ends with a document for the applicant. */
  issuesDocument: boolean;
  issuesCertificate: boolean;
  /** For how many days applicants of the service may object to a decision. */
  objectionDays: number;
  /** How many documents the applicant has from staff and the service provider. */
  issuedDocuments: number;
  applicantLanguage: Language;
  /** `null` for a request without a history. */
  clock: RequestClock | null;
}

const issuedDocumentsOf = (requestId: number) => sql`
  select count(*)::int
  from attachments
  where request_id = ${requestId}
    and (is_result or (provider_title is not null and not is_hidden))
    and superseded_at is null
    and scan_state <> 'infected'`;

/** `undefined` when there is no such request. */
export async function findStepFacts(
  transaction: Transaction,
  requestId: number,
  userId: string | null,
): Promise<StepFacts | undefined> {
  const { rows } = await sql<StepFacts>`
    select service_name, agency_name, paid, people,
      agency_id as "agencyId",
      exists(
        select
        from request_history
        where request_id = ${requestId}
          and actor_id = ${userId}::uuid
          and acted_for ->> 'by' = 'counter'
      ) as "hasActedAtCounter",
      (${overpaidOf(requestId)}) as overpaid,
      ${pendingActionOf(requestId)} as pending,
      issues_document as "issuesDocument",
      issues_certificate as "issuesCertificate",
      objection_days as "objectionDays",
      (${issuedDocumentsOf(requestId)}) as "issuedDocuments",
      applicant_language as "applicantLanguage",
      ${clockOf(requestId)} as clock
    from (${notificationFacts(requestId)}) as facts,
      (
        select requests.agency_id, objection_days, issues_document,
          ${issuesCertificate} as issues_certificate,
          ${applicantLanguage} as applicant_language
        from requests
        join services on services.id = service_id
        where requests.id = ${requestId}
      ) as request
  `.execute(transaction);
  return rows[0];
}

/** The form of a request and the names that a document shows. */
export async function findPrintedNames(
  transaction: Transaction,
  requestId: number,
): Promise<{
  form: ServiceForm;
  names: {
    service: LocalizedText;
    agency: LocalizedText;
    company: LocalizedText | null;
    logo: string;
    /** The names of the owner that UAE PASS has verified, by an Emirates ID; null where it has none. */
    verified: { ar: string | null; en: string | null };
    /** The account that sent the request, also where it belongs to a company. */
    sender: PersonNames;
  };
}> {
  const { service, agency, company, logo, form, isVerified, ar, en, sender } = await transaction
    .selectFrom('requests')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .innerJoin('agencies', 'agencies.id', 'requests.agency_id')
    .innerJoin('forms', 'forms.id', 'requests.form_id')
    .innerJoin('users', 'users.id', 'requests.user_id')
    .leftJoin('companies', 'companies.id', 'requests.company_id')
    .select([
      'forms.content as form',
      'services.name as service',
      'agencies.name as agency',
      'agencies.logo as logo',
      'companies.name as company',
      'users.full_name_ar as ar',
      'users.full_name_en as en',
      'users.full_name as sender',
    ])
    // The basic level of UAE PASS has no Emirates ID: its names are as they were typed.
    .select(({ eb }) =>
      eb
        .and([eb('users.uaepass_id', 'is not', null), eb('users.emirates_id', 'is not', null)])
        .as('isVerified'),
    )
    .where('requests.id', '=', requestId)
    .executeTakeFirstOrThrow();
  const verified = isVerified ? { ar, en } : { ar: null, en: null };
  return {
    form,
    names: {
      service,
      agency,
      company,
      logo,
      verified,
      sender: { full_name: sender, full_name_ar: ar },
    },
  };
}

/** The steps of a request, and who took them, oldest first. */
export const findTakenSteps = (
  transaction: Transaction,
  requestId: number,
): Promise<{ action: HistoryAction; actor_kind: ActorKind }[]> =>
  transaction
    .selectFrom('request_history')
    .select(['action', 'actor_kind'])
    .where('request_id', '=', requestId)
    .orderBy('id')
    .$castTo<{ action: HistoryAction; actor_kind: ActorKind }>()
    .execute();
