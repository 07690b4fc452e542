import { z } from 'zod';
import { defineCall } from './call.ts';

const healthReply = z.object({ status: z.enum(['ok']) });

export const getLiveness = defineCall({
  name: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  who: 'anyone',
  summary: '200 while the process runs, 503 when only a restart helps',
  reply: healthReply,
  refusals: [],
});
export const getReadiness = defineCall({
  name: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  who: 'anyone',
  summary: '200 when it can serve, 503 with the reason otherwise',
  reply: healthReply,
  refusals: [],
});
