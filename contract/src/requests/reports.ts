import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { defineCall } from '../wire/call.ts';
import { fils } from '../wire/money.ts';
import { statusTones } from './workflow.ts';

/** The longest period of a report and the default period, in days. */
export const maximumPeriodDays = 366;
export const defaultPeriodDays = 30;

/**
 * The figures of a period. `medianSeconds` is the time from payment, or from submission where
 * nothing is paid, to completion; `withinPromise` is the share of completed requests that met their
 * due date. Both are null where nothing was completed.
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
 * included. `standing` holds the current counts by status, independent of the period.
 */
export const requestFigures = z.object({
  fromDay: z.string(),
  toDay: z.string(),
  current: periodFigures,
  /** The same number of days, just before. */
  previous: periodFigures,
  /** Every day, days without requests included. */
  days: z.array(z.object({ day: z.string(), created: z.int(), completed: z.int() })),
  /** The most requested services of the period. */
  services: z.array(
    z.object({
      serviceId: z.int(),
      name: z.string(),
      governmentAgency,
      created: z.int(),
      completed: z.int(),
    }),
  ),
  /** `waitsForMe`: a user with the caller's roles can receive or accept such a request. */
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
 * Our own: the specification does not show the content of dashboards and reports. See
 * docs/unknowns.md.
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
