import { z } from 'zod';
import {
  agencyAuditors,
  applicants,
  auditReaders,
  defineCall,
  requestReadersAndProviders,
} from '../wire/call.ts';
import { longId, longIdInAddress } from '../wire/ids.ts';

/** The kinds of staff that the access log names. */
export const readerKinds = ['employee', 'admin', 'finance', 'auditor', 'serviceProvider'] as const;
export type ReaderKind = (typeof readerKinds)[number];

/**
 * Why staff open a record that is not their work: the person gave the number, asks or complains about
 * it, the work on it is checked, an audit, an order of a court or authority, its money, or another
 * reason in words. Decision 0143.
 */
export const readReasons = [
  'number',
  'enquiry',
  'complaint',
  'quality',
  'audit',
  'authority',
  'money',
  'other',
] as const;
export type ReadReason = (typeof readReasons)[number];

/** What the access log has: also the urgent right, which is no reason that somebody gives here. */
export const recordedReasons = [...readReasons, 'urgent'] as const;
export type RecordedReason = (typeof recordedReasons)[number];

/** The length of a reason in words. */
export const readReasonLength = { minimum: 10, maximum: 300 };

/**
 * One access of staff to a request, or to one of its documents (`documentName`, its name at that
 * time). `office` is the name of a service provider. `name` is the reader's; it is filled for
 * admins and auditors, and for others where the deployment shows it. `reason` is absent where the
 * request was work of the reader. `at` is ISO 8601 in UTC.
 */
export const accessLogEntry = z.object({
  at: z.string(),
  readerKind: z.enum(readerKinds),
  office: z.string(),
  name: z.string(),
  documentName: z.string().optional(),
  reason: z.enum(recordedReasons).optional(),
  reasonText: z.string(),
});
export type AccessLogEntry = z.infer<typeof accessLogEntry>;

/** Newest first, 500 at most; for the owner of the request, admins and auditors. */
export const getRequestReads = defineCall({
  name: 'getRequestReads',
  method: 'GET',
  path: '/api/Request/GetRequestReads',
  who: [...applicants, ...auditReaders],
  summary: 'The access log of a request: which staff opened it and its documents, and why',
  query: z.object({ RequestId: longIdInAddress }),
  reply: z.array(accessLogEntry),
  refusals: ['RequestNotFound'],
});

/**
 * Records why the caller opens a request that is not their work; for an hour they can open it. The
 * reason `number` needs the number of the request, `other` needs words. Our own call.
 */
export const giveReasonForReading = defineCall({
  name: 'giveReasonForReading',
  method: 'POST',
  path: '/api/Request/GiveReasonForReading',
  who: requestReadersAndProviders,
  summary: 'Says why the caller opens a request that is not their work',
  body: z.object({
    requestId: longId,
    reason: z.enum(readReasons),
    reasonText: z.string().trim().max(readReasonLength.maximum).default(''),
    requestNumber: z.string().trim().max(40).optional(),
  }),
  reply: z.object({}),
  refusals: ['RequestNotFound'],
});

/**
 * From how many records on a reader is listed: all in an hour, those that needed a reason in an hour,
 * and those of one person that needed one in a day.
 */
export const unusualReads = { anHour: 60, explainedAnHour: 15, ofOnePerson: 5 };

/** The longest time that is searched for unusual reading. */
export const maximumReadDays = 31;

/**
 * A reader who opened unusually many records on a day in Asia/Dubai: the most in an hour, the most of
 * these with a reason, and the most of one person within a day.
 */
export const unusualReader = z.object({
  day: z.iso.date(),
  readerKind: z.enum(readerKinds),
  username: z.string().optional(),
  fullName: z.string(),
  records: z.int(),
  anHour: z.int(),
  explainedAnHour: z.int(),
  ofOnePerson: z.int(),
  personName: z.string(),
});
export type UnusualReader = z.infer<typeof unusualReader>;

/** Newest day first, then the most records; `From` and `Until` are days. Our own call. */
export const getUnusualReaders = defineCall({
  name: 'getUnusualReaders',
  method: 'GET',
  path: '/api/Request/GetUnusualReaders',
  who: agencyAuditors,
  byAgency: 'reply',
  summary: 'Which staff opened unusually many records in a short time',
  query: z.object({ From: z.iso.date(), Until: z.iso.date() }),
  reply: z.array(unusualReader),
  refusals: [],
});
