import { z } from 'zod';
import { defineCall } from '../wire/call.ts';

/** Who of the staff a reader was. */
export const readerKinds = ['employee', 'admin', 'serviceProvider'] as const;
export type ReaderKind = (typeof readerKinds)[number];

/**
 * One look of the staff at a request or at a document of it (`documentName` as it was called).
 * `office` is a service provider’s name; `name` is the reader’s where the deployment shows it, and
 * to admins. ISO 8601 in UTC.
 */
export const requestRead = z.object({
  at: z.string(),
  readerKind: z.enum(readerKinds),
  office: z.string(),
  name: z.string(),
  documentName: z.string().optional(),
});
export type RequestRead = z.infer<typeof requestRead>;

/** Newest first, 500 at most; only for whoever’s request it is, and for admins. */
export const getRequestReads = defineCall({
  name: 'getRequestReads',
  method: 'GET',
  path: '/api/Request/GetRequestReads',
  who: ['Client', 'CompanyUser', 'Admin'],
  summary: 'Who of the staff has looked at a request and its documents',
  query: z.object({ RequestId: z.coerce.number().int().min(1) }),
  reply: z.array(requestRead),
  refusals: ['RequestNotFound'],
});
