import { z } from 'zod';
import { defineCall, signedIn, type Role } from '../wire/call.ts';
import { pageNumber, take } from '../wire/paging.ts';
import { listQuery, requestPage, requestRecord } from './requests.ts';
import { attachment } from './attachments.ts';
import { shownMark } from './return-marks.ts';

const owners: readonly Role[] = ['Client', 'CompanyUser'];

/** As GetRequestsByStatusId, without the flags of refunds. Source: specification §7. */
export const getAllRequestsByStatusId = defineCall({
  name: 'getAllRequestsByStatusId',
  method: 'GET',
  path: '/api/Request/GetAllRequestsByStatusId',
  who: signedIn,
  summary: 'Requests that the caller may see, by status, text and day (days in Asia/Dubai)',
  query: z.object(listQuery),
  reply: requestPage,
  refusals: [],
});

/**
 * What mending needs: the record, the marks that wait to be answered, and the documents that were
 * kept beside it with SaveRequestAttachments.
 */
export const getRequestByIdForUpdate = defineCall({
  name: 'getRequestByIdForUpdate',
  method: 'GET',
  path: '/api/Request/GetRequestByIdForUpdate',
  who: owners,
  summary: 'An own request that can be mended now, with what mending needs',
  query: z.object({ RequestId: z.coerce.number().int().min(1) }),
  reply: requestRecord.extend({
    openMarks: z.array(shownMark),
    keptAttachments: z.array(attachment),
  }),
  refusals: ['RequestNotFound', 'ActionNotAllowed'],
});

/**
 * The V2 of the inquiry, for callers who are signed in: summaries of what they may see instead of
 * the glance that anybody gets.
 */
export const getRequestByRequestNoOrMobileNoV2 = defineCall({
  name: 'getRequestByRequestNoOrMobileNoV2',
  method: 'GET',
  path: '/api/Request/GetRequestByRequestNoOrMobileNoV2',
  who: signedIn,
  summary: 'Requests by request number or mobile number, as far as the caller may see them',
  query: z.object({
    SearchKeyword: z.string().trim().min(1).max(60),
    PageNumber: pageNumber,
    Take: take,
    SortOrder: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: requestPage,
  refusals: [],
});

export const getRequestByMerchantReference = defineCall({
  name: 'getRequestByMerchantReference',
  method: 'GET',
  path: '/api/Request/GetRequestByMerchantReference',
  who: signedIn,
  summary: 'The request that a payment was for, by the merchant reference',
  query: z.object({ MerchantReference: z.string().trim().min(1).max(80) }),
  reply: requestRecord,
  refusals: ['RequestNotFound'],
});
