import { z } from 'zod';
import { defineCall } from '../wire/call.ts';
import { partnerRecord } from './partner-registration.ts';

const partnerId = z.int().min(1).max(2_147_483_647);

/**
 * Our own calls: the specification has partners with supervisors, not how they come and go.
 * Decision 0017.
 */
export const addSupervisor = defineCall({
  name: 'addSupervisor',
  method: 'POST',
  path: '/api/Partner/AddSupervisor',
  who: ['Admin'],
  summary:
    'Make an account that is free a further supervisor of a service provider: no staff, no company, no provider, no requests of its own',
  body: z.object({ partnerId, username: z.string().trim().min(1).max(200) }),
  reply: partnerRecord,
  refusals: ['NotFound', 'UsernameNotFound', 'AccountCannotSupervise', 'AlreadySupervisor'],
});

export const removeSupervisor = defineCall({
  name: 'removeSupervisor',
  method: 'POST',
  path: '/api/Partner/RemoveSupervisor',
  who: ['Admin'],
  summary: 'Take a service provider from a supervisor at once; an active one always stays',
  body: z.object({ partnerId, userId: z.uuid() }),
  reply: partnerRecord,
  refusals: ['NotFound', 'ProviderNeedsSupervisor'],
});
