import { z } from 'zod';

/** The channels by which messages and verification codes reach a person. */
export const channels = ['email', 'sms'] as const;
export const channel = z.enum(channels);
export type Channel = z.infer<typeof channel>;

/** The channels of messages. `push` is a message to a browser; it verifies nobody. */
export const messageChannels = [...channels, 'push'] as const;
export const messageChannel = z.enum(messageChannels);
export type MessageChannel = z.infer<typeof messageChannel>;
