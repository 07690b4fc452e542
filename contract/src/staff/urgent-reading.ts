import { z } from 'zod';
import { agencyAdministrators, agencyAuditors, defineCall } from '../wire/call.ts';
import { longId } from '../wire/ids.ts';

/**
 * Why an employee opens a request outside of their scope without waiting: somebody's life or health, a right
 * that would be lost before the agency can answer, an order of a court or authority, or another reason.
 * The words are required with each of them. Decision 0154.
 */
export const urgentReasons = ['danger', 'deadline', 'authority', 'other'] as const;
export type UrgentReason = (typeof urgentReasons)[number];

/** The length of the words. */
export const urgentTextLength = { minimum: 20, maximum: 300 };

/** For how long an opened request can be read. It ends earlier with the session. */
export const urgentMinutes = 60;

/** What the reviewer found. */
export const urgentFindings = ['justified', 'notJustified'] as const;
export type UrgentFinding = (typeof urgentFindings)[number];

/** The length of the words of a finding. */
export const findingTextLength = { minimum: 10, maximum: 1000 };

/**
 * Opens one request that is outside of the caller's scope, by its number, for reading. The applicant
 * and the administrators are notified immediately, which `isConfirmed` says that the caller knows. An account
 * with a password gives it again. A request that is open already is answered as it is. Our own call.
 */
export const openUrgently = defineCall({
  name: 'openUrgently',
  method: 'POST',
  path: '/api/Request/OpenUrgently',
  who: ['Employee'],
  summary: 'Opens a request outside of the scope of the caller by the urgent right',
  body: z.object({
    requestNumber: z.string().trim().min(1).max(40),
    reason: z.enum(urgentReasons),
    reasonText: z.string().trim().min(urgentTextLength.minimum).max(urgentTextLength.maximum),
    password: z.string().max(200).optional(),
    isConfirmed: z.literal(true),
  }),
  reply: z.object({ requestId: longId, requestNumber: z.string(), until: z.string() }),
  refusals: [
    'UrgentRightMissing',
    'IncorrectPassword',
    'TooManyRequests',
    'RequestNotFound',
    'RequestInScope',
  ],
});

/**
 * One use of the urgent right. Times are ISO 8601 in UTC. `finding`, its words, who gave it and when are
 * absent while it waits for a review. `mayReview`: by this caller.
 */
export const urgentOpening = z.object({
  openingId: longId,
  requestNumber: z.string(),
  serviceName: z.string(),
  agencyName: z.string(),
  applicantName: z.string(),
  readerName: z.string(),
  username: z.string(),
  reason: z.enum(urgentReasons),
  reasonText: z.string(),
  at: z.string(),
  until: z.string(),
  finding: z.enum(urgentFindings).optional(),
  findingText: z.string().optional(),
  reviewedBy: z.string().optional(),
  reviewedAt: z.string().optional(),
  mayReview: z.boolean(),
});
export type UrgentOpening = z.infer<typeof urgentOpening>;

/** Those that wait for a review, then those of the days `From` to `Until`, newest first. Our own call. */
export const getUrgentOpenings = defineCall({
  name: 'getUrgentOpenings',
  method: 'GET',
  path: '/api/Request/GetUrgentOpenings',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'Uses of the urgent right to open a request, and what their review found',
  query: z.object({ From: z.iso.date(), Until: z.iso.date() }),
  reply: z.array(urgentOpening),
  refusals: [],
});

/** Nobody reviews what they opened themselves. Our own call. */
export const reviewUrgentOpening = defineCall({
  name: 'reviewUrgentOpening',
  method: 'POST',
  path: '/api/Request/ReviewUrgentOpening',
  who: agencyAdministrators,
  byAgency: { urgentOpening: 'openingId' },
  summary: 'Records what the review of a use of the urgent right found',
  body: z.object({
    openingId: longId,
    finding: z.enum(urgentFindings),
    findingText: z.string().trim().min(findingTextLength.minimum).max(findingTextLength.maximum),
  }),
  reply: z.object({}),
  refusals: ['NotFound', 'NotOnOwnReading', 'RecordHasChanged'],
});
