import { z } from 'zod';
import { defineCall } from '../wire/call.ts';

/** The parts of the portal that people know, in the order of the page. */
export const statusParts = [
  'portal',
  'requests',
  'documents',
  'payments',
  'messages',
  'uaePass',
] as const;
export type StatusPart = (typeof statusParts)[number];

/** `limited` works in part or slowly; `down` does not work. */
export const incidentStates = ['limited', 'down'] as const;
export type IncidentState = (typeof incidentStates)[number];

/** How far back the page tells what failed. */
export const incidentDays = 90;

const part = z.object({
  part: z.enum(statusParts),
  state: z.enum(['works', ...incidentStates]),
  /** Since when; missing for a part without an incident in the last days. */
  since: z.iso.datetime().optional(),
});

/** A time in which a part did not work as usual; `until` is missing while it lasts. */
const incident = z.object({
  part: z.enum(statusParts),
  /** The worst that was seen. */
  state: z.enum(incidentStates),
  from: z.iso.datetime(),
  until: z.iso.datetime().optional(),
});
export type Incident = z.infer<typeof incident>;

/** Our own call: the specification has no status page. It is answered from memory. */
export const getStatus = defineCall({
  name: 'getStatus',
  method: 'GET',
  path: '/api/Status/GetStatus',
  who: 'anyone',
  summary: 'What works now, and what failed in the last 90 days',
  reply: z.object({
    parts: z.array(part),
    /** The newest first. */
    incidents: z.array(incident),
    /** False while the database does not serve: other processes may know more. */
    isComplete: z.boolean(),
  }),
  refusals: [],
});
