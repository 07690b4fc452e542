import { hasRole, type Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import { listPartnerActions } from '@diwan/contract/people/partner-states';
import { auditReaders } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { describeDocument } from './partner-documents.actions.ts';
import * as documents from './partner-documents.store.ts';
import * as store from './partner-records.store.ts';
import {
  describeReason,
  reasonsFor,
  sortReasons,
  type PartnersContext,
} from './partner-transitions.actions.ts';

function describeStep(
  step: store.PartnerStep,
  isAdmin: boolean,
  language: Language,
): PartnerRecord['history'][number] {
  return {
    id: step.id,
    action: step.action,
    state: step.to_state,
    reasons: sortReasons(step.reasons).map((name) => describeReason(name, language)),
    at: step.at.toISOString(),
    // Providers deal with the office, not with one person by name.
    ...(isAdmin
      ? { actor: localizePersonName({ ...step, full_name: step.actor_name }, language) }
      : {}),
    ...(step.message ? { message: localize(step.message, language) } : {}),
  };
}

/** The record of a service provider, for an admin or its own supervisor. Throws NotFound. */
export async function getPartnerRecord(
  context: PartnersContext,
  caller: Caller,
  partnerId: number | null,
  language: Language,
): Promise<PartnerRecord> {
  const row = partnerId === null ? undefined : await store.findRecord(context.database, partnerId);
  if (!row) throw new Refusal('NotFound');
  const isAdmin = caller.roles.includes('Admin');
  const isReader = hasRole(caller, auditReaders);
  const [agencies, files, history, supervisors, openRequestsCount, pending] = await Promise.all([
    store.selectAgencies(context.database, row.id),
    documents.selectOfPartner(context.database, row.id),
    store.selectHistory(context.database, row.id),
    store.selectSupervisors(context.database, row.id),
    store.countRequestsIn(context.database, row.id, context.openStatuses()),
    isReader ? store.selectPendingSupervisors(context.database, row.id) : undefined,
  ]);
  const isOwn = row.id === caller.partnerId;
  const allowedActions =
    isAdmin || isOwn ? listPartnerActions(row.state, isAdmin ? 'admin' : 'provider') : [];
  return {
    partnerId: row.id,
    name: localize(row.name, language),
    names: row.name,
    state: row.state,
    version: row.version,
    licenceNumber: row.licence_number ?? undefined,
    contactName: row.contact_name ?? undefined,
    contactEmail: row.contact_email ?? undefined,
    contactPhone: row.contact_phone ?? undefined,
    agencies: agencies.map((agency) => ({
      id: agency.id,
      name: localize(agency.name, language),
      logo: agency.logo,
    })),
    documents: files.map((file) => describeDocument(context.references, file, caller)),
    history: history.map((step) => describeStep(step, isReader, language)),
    allowedActions,
    reasons: isAdmin
      ? Object.fromEntries(
          allowedActions.map((action) => [
            action,
            reasonsFor(action).map((name) => ({ name, text: describeReason(name, language) })),
          ]),
        )
      : {},
    openRequestsCount,
    supervisors: supervisors.map((each) => ({
      id: each.id,
      fullName: localizePersonName(each, language),
      email: each.email,
      isSuspended: each.suspended_at !== null,
    })),
    pendingSupervisors: pending?.map((each) => ({
      id: each.id,
      fullName: localizePersonName(each, language),
      isAdded: each.is_added,
      askedBy: localizePersonName(
        { full_name: each.asked_by_name, full_name_ar: each.asked_by_name_ar },
        language,
      ),
      askedAt: each.asked_at.toISOString(),
    })),
    createdAt: row.created_at.toISOString(),
  };
}
