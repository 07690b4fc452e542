import { z } from 'zod';
import { differencePlace } from '../catalogue/service-designs.ts';
import { agencyAuditors, defineCall } from '../wire/call.ts';
import { languages } from '../wire/languages.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** The kinds of thing whose changes are recorded. */
export const changeEntities = [
  'rejectionReason',
  'agency',
  'category',
  'accountType',
  'attachmentType',
  'synonym',
  'searchQuestion',
  'service',
  'catalogue',
  'workflow',
  'text',
  'portal',
  'calendar',
  'announcement',
  'certificateTemplate',
  'user',
  'team',
  'partner',
  'company',
  'setting',
  'paymentProvider',
  'paymentRule',
  'paymentCase',
  'refund',
  'charge',
  'referralCode',
  'settlement',
  'settlementDifference',
  'ledgerDay',
  'providerCharge',
  'payout',
  'seller',
] as const;
export type ChangeEntity = (typeof changeEntities)[number];

/** Those whose things belong to an agency, for its administrator. Their ids are in `audit.store.ts`. */
export const agencyChangeEntities = [
  'agency',
  'service',
  'calendar',
  'certificateTemplate',
  'rejectionReason',
  'user',
] as const satisfies readonly ChangeEntity[];

/** What happened to the thing. */
export const changeActions = [
  'created',
  'changed',
  'reordered',
  'retired',
  'restored',
  'deleted',
  'published',
  'scheduled',
  'rolledBack',
  'imported',
  'invited',
  'assigned',
  'requested',
  'confirmed',
  'refused',
] as const;
export type ChangeAction = (typeof changeActions)[number];

const changedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * One field that changed. `language` is given for a text of one language. `before` and `after` are
 * absent where the field did not exist; a structure is JSON text. `place` is given for a part of a
 * service: `field` is then the property of the part, empty for one that was added, removed or moved.
 * Where a value is the id of a record or several, `beforeNames` and `afterNames` are what these are
 * called now in the reader's language; a deleted one is named by its id.
 */
export const fieldChange = z.object({
  field: z.string(),
  language: z.enum(languages).optional(),
  before: changedValue.optional(),
  after: changedValue.optional(),
  beforeNames: z.array(z.string()).optional(),
  afterNames: z.array(z.string()).optional(),
  place: differencePlace.optional(),
});
export type FieldChange = z.infer<typeof fieldChange>;

/**
 * A change by a person; changes never change. `name` is the thing's name in the reader's language
 * at the time of the change, `address` the caller's network address.
 */
export const change = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  entity: z.enum(changeEntities),
  entityId: z.string(),
  name: z.string().optional(),
  action: z.enum(changeActions),
  username: z.string().optional(),
  fullName: z.string(),
  address: z.string().optional(),
  fields: z.array(fieldChange),
});
export type Change = z.infer<typeof change>;

/**
 * Newest first. `Day` is a day in Asia/Dubai, `Username` a complete username. Our own call; the audit
 * log has the changes too.
 */
export const getChanges = defineCall({
  name: 'getChanges',
  method: 'GET',
  path: '/api/User/GetChanges',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'What admins changed: who, when, from where, before and after',
  query: z.object({
    Entity: z.enum(changeEntities).optional(),
    EntityId: z.string().trim().min(1).max(100).optional(),
    Username: z.string().trim().max(200).optional(),
    Day: z.iso.date().optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(change),
  refusals: [],
});
