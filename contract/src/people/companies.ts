import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** A company as an admin's list shows it; `name` is in the caller's language. */
export const companySummary = z.object({
  id: z.int(),
  name: z.string(),
  usersCount: z.int(),
  requestsCount: z.int(),
});
export type CompanySummary = z.infer<typeof companySummary>;

export const getAllCompanies = defineCall({
  name: 'getAllCompanies',
  method: 'GET',
  path: '/api/Company/GetAllCompanies',
  who: ['Admin'],
  summary: 'Companies by text, with the number of their users and requests',
  query: z.object({
    SearchKeyword: z.string().max(200).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(companySummary),
  refusals: [],
});
