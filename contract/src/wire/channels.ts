import { z } from 'zod';

/** The channels by which messages and verification codes reach a person. */
export const channels = ['email', 'sms'] as const;
export const channel = z.enum(channels);
export type Channel = z.infer<typeof channel>;
