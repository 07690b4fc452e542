import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { defineCall } from '../wire/call.ts';
import { fils } from '../wire/money.ts';
import { statusTones } from './workflow.ts';

/**
 * The longest time that figures are asked for, and how long one is when it is not said. Both in
 * days.
 */
export const longestPeriod = 366;
export const usualPeriod = 30;

/**
 * What happened within some days. `medianSeconds` is from payment, or from sending where nothing is
 * paid, to completion; `withinPromise` is the share of the completed
 * that kept the working days their service promises. Both are null where nothing was completed.
 */
export const periodFigures = z.object({
  created: z.int(),
  completed: z.int(),
  refused: z.int(),
  feesCollected: fils,
  medianSeconds: z.int().min(0).nullable(),
  withinPromise: z.number().min(0).max(1).nullable(),
});
export type PeriodFigures = z.infer<typeof periodFigures>;

/**
 * Figures of the requests that the caller may see; days such as 2026-01-31 in Asia/Dubai, both
 * included. `standing` is how things are now, whatever the days. All of this moment.
 */
export const requestFigures = z.object({
  fromDay: z.string(),
  toDay: z.string(),
  current: periodFigures,
  /** The same number of days, just before. */
  previous: periodFigures,
  /** Every day, also those on which nothing happened. */
  days: z.array(z.object({ day: z.string(), created: z.int(), completed: z.int() })),
  /** The services most asked for within the days. */
  services: z.array(
    z.object({
      serviceId: z.int(),
      name: z.string(),
      governmentAgency,
      created: z.int(),
      completed: z.int(),
    }),
  ),
  /** `waitsForMe`: somebody with the caller's roles can take such a request on. */
  standing: z.array(
    z.object({
      statusId: z.int(),
      statusName: z.string(),
      statusTone: z.enum(statusTones),
      count: z.int(),
      waitsForMe: z.boolean(),
    }),
  ),
});
export type RequestFigures = z.infer<typeof requestFigures>;

/**
 * Our own: the specification does not show what dashboards and reports hold. See docs/unknowns.md.
 */
export const getRequestFigures = defineCall({
  name: 'getRequestFigures',
  method: 'GET',
  path: '/api/Report/GetRequestFigures',
  who: ['Admin', 'ServiceProvider', 'CompanyUser'],
  summary:
    'Figures of the requests that the caller may see; the last 30 days when no days are given, 366 days at most',
  query: z.object({ DateFrom: z.iso.date().optional(), DateTo: z.iso.date().optional() }),
  reply: requestFigures,
  refusals: [],
});
