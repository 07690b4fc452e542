import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { defineCall, moneyReaders, type Role } from '../wire/call.ts';
import { fils } from '../wire/money.ts';
import { statusTones } from './workflow.ts';

/** The longest period of a report and the default period, in days. */
export const maximumPeriodDays = 366;
export const defaultPeriodDays = 30;

/**
 * The figures of a period. `medianSeconds` are the working hours, by the calendar of each request,
 * from payment, or from submission where nothing is paid, to completion, without holds;
 * `withinPromise` is the share of completed requests that met their due date. Both are null where
 * nothing was completed.
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
 * Figures of the requests that the caller may see, or of an administrator of agencies those of the agencies;
 * days such as 2026-01-31 in Asia/Dubai, both
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
 * An administrator of agencies gets the figures of these agencies, and sees none of the requests.
 * Decision 0150.
 */
const figureReaders: readonly Role[] = [
  ...moneyReaders,
  'AgencyAdmin',
  'ServiceProvider',
  'CompanyUser',
];

/**
 * Our own: the specification does not show the content of dashboards and reports. See
 * docs/unknowns.md.
 */
export const getRequestFigures = defineCall({
  name: 'getRequestFigures',
  method: 'GET',
  mayLag: true,
  path: '/api/Report/GetRequestFigures',
  who: figureReaders,
  byAgency: 'reply',
  summary:
    'Figures of the requests that the caller may see; the last 30 days when no days are given, 366 days at most',
  query: z.object({ DateFrom: z.iso.date().optional(), DateTo: z.iso.date().optional() }),
  reply: requestFigures,
  refusals: [],
});

/** By what figures are divided. Employees are those who complete or reject requests. */
export const figureDimensions = ['agency', 'service', 'partner', 'employee'] as const;
export type FigureDimension = (typeof figureDimensions)[number];

/** The most groups of a reply, those with the most late and open requests first. */
export const maximumFigureGroups = 100;

/**
 * The figures of an agency, a service, a partner or an employee. Now: requests that are not ended
 * (`open`), those of them that wait for the caller's side (`waiting`), when the first of these was
 * sent (`oldestAt`), and those that are due today or late. In the period: as `periodFigures`. Each
 * number is that of the list with the same filters (`Figure` of the lists). For employees: what they
 * hold now and what they ended; nobody sends or pays requests to an employee, so these are 0.
 */
export const figureGroup = z.object({
  id: z.string(),
  name: z.string(),
  /** The agency of a service. */
  agencyName: z.string().optional(),
  open: z.int(),
  waiting: z.int(),
  oldestAt: z.iso.datetime().nullable(),
  dueToday: z.int(),
  late: z.int(),
  created: z.int(),
  completed: z.int(),
  completedLate: z.int(),
  refused: z.int(),
  feesCollected: fils,
  medianSeconds: z.int().min(0).nullable(),
});
export type FigureGroup = z.infer<typeof figureGroup>;

/**
 * Our own: what waits and what is late, and the figures of a period by agency, service, service
 * provider or employee. Service providers get those for their own requests, by agency and service.
 */
export const getFigureGroups = defineCall({
  name: 'getFigureGroups',
  method: 'GET',
  mayLag: true,
  path: '/api/Report/GetFigureGroups',
  who: figureReaders,
  byAgency: 'reply',
  summary:
    'What is open, waiting and late now, and the figures of a period, by agency, service, service provider or employee',
  query: z.object({
    By: z.enum(figureDimensions).default('agency'),
    DateFrom: z.iso.date().optional(),
    DateTo: z.iso.date().optional(),
  }),
  reply: z.object({
    fromDay: z.string(),
    toDay: z.string(),
    /** All requests that the caller may see, those of groups that are left out too. */
    total: figureGroup.omit({ id: true, name: true, agencyName: true }),
    groups: z.array(figureGroup).max(maximumFigureGroups),
    /** The number of groups, those that are left out too. */
    groupCount: z.int(),
  }),
  refusals: ['YouAreUnauthorized'],
});
