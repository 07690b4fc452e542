import { z } from 'zod';
import { agencyAdministrators, agencyAuditors, applicants, defineCall } from '../wire/call.ts';
import { longId, recordId, recordVersion } from '../wire/ids.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';
import { complaintDocument, complaintDocumentIds } from './complaint-documents.ts';

/** What a complaint is about. Decision 0155. */
export const complaintSubjects = [
  'service',
  'request',
  'staff',
  'privacy',
  'accessibility',
  'payment',
  'other',
] as const;
export type ComplaintSubject = (typeof complaintSubjects)[number];

/** A complaint is answered, possibly more than once, and then closed. */
export const complaintStates = ['received', 'answered', 'closed'] as const;
export type ComplaintState = (typeof complaintStates)[number];

/** The length of a complaint, and of an answer. */
export const complaintLength = { minimum: 20, maximum: 4000 };

const words = z.string().trim().min(complaintLength.minimum).max(complaintLength.maximum);

/**
 * A complaint for the person who sent it. `answerBy` is the day until which an answer is promised, by the
 * calendar of the agency. Times are ISO 8601 in UTC.
 */
export const ownComplaint = z.object({
  reference: z.string(),
  subject: z.enum(complaintSubjects),
  serviceName: z.string().optional(),
  requestNumber: z.string(),
  text: z.string(),
  state: z.enum(complaintStates),
  at: z.string(),
  answerBy: z.iso.date(),
  documents: z.array(complaintDocument),
  answers: z.array(
    z.object({ text: z.string(), at: z.string(), documents: z.array(complaintDocument) }),
  ),
});
export type OwnComplaint = z.infer<typeof ownComplaint>;

/** A complaint for those who answer it. `agencyName` is absent for those of the portal. */
export const complaint = ownComplaint.extend({
  complaintId: longId,
  version: z.int(),
  agencyName: z.string().optional(),
  fullName: z.string(),
  email: z.string(),
});
export type Complaint = z.infer<typeof complaint>;

/**
 * Everybody may send one; the contact is confirmed by a message with the reference. Our own call, as all
 * of this file.
 */
export const sendComplaint = defineCall({
  name: 'sendComplaint',
  method: 'POST',
  path: '/api/Complaint/SendComplaint',
  who: 'anyone',
  summary: 'Sends a complaint to the agency of a service, or to the portal',
  body: z.object({
    subject: z.enum(complaintSubjects),
    serviceId: recordId.optional(),
    requestNumber: z.string().trim().max(40).default(''),
    text: words,
    fullName: z.string().trim().min(1).max(200),
    email: z.string().trim().max(200),
    documentIds: complaintDocumentIds,
  }),
  reply: z.object({ reference: z.string(), answerBy: z.iso.date() }),
  refusals: ['ServiceNotFound', 'TooManyRequests'],
});

/** By the reference and the address that were given with the complaint: both, or nothing is found. */
export const findComplaint = defineCall({
  name: 'findComplaint',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Complaint/FindComplaint',
  who: 'anyone',
  summary: 'One complaint by its reference and the address of its sender',
  body: z.object({
    reference: z.string().trim().min(1).max(40),
    email: z.string().trim().min(1).max(200),
  }),
  reply: ownComplaint,
  refusals: ['ComplaintNotFound', 'TooManyRequests'],
});

export const getMyComplaints = defineCall({
  name: 'getMyComplaints',
  method: 'GET',
  path: '/api/Complaint/GetMyComplaints',
  who: applicants,
  summary: 'The complaints that the caller has sent while signed in, newest first',
  query: z.object({ PageNumber: pageNumber, Take: take }),
  reply: pageOf(ownComplaint),
  refusals: [],
});

/** Those whose answer is due first, then the closed ones, newest first. */
export const getComplaints = defineCall({
  name: 'getComplaints',
  method: 'GET',
  path: '/api/Complaint/GetComplaints',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'The complaints of the agencies of the caller, or of all',
  query: z.object({
    State: z.enum(complaintStates).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(complaint),
  refusals: [],
});

/** The answer is sent to the person. A closed complaint takes no other answer. */
export const answerComplaint = defineCall({
  name: 'answerComplaint',
  method: 'POST',
  path: '/api/Complaint/AnswerComplaint',
  who: agencyAdministrators,
  byAgency: { complaint: 'complaintId' },
  summary: 'Answers a complaint, and closes it or not',
  body: z.object({
    complaintId: longId,
    version: recordVersion,
    answer: words,
    isClosed: z.boolean(),
    documentIds: complaintDocumentIds,
  }),
  reply: z.object({}),
  refusals: ['ComplaintNotFound', 'RecordHasChanged'],
});
