import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { channel } from '../wire/channels.ts';
import { languages } from '../wire/languages.ts';

/**
 * A choice of channels for notifications about requests; `name` is in the caller's language.
 * Source: specification §7 CommunicationType.
 */
export const communicationType = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  channels: z.array(channel),
});
export type CommunicationType = z.infer<typeof communicationType>;

export const getAllCommunicationType = defineCall({
  name: 'getAllCommunicationType',
  method: 'GET',
  path: '/api/CommunicationType/GetAllCommunicationType',
  who: 'anyone',
  summary: 'The choices of channels for notifications about requests',
  reply: z.array(communicationType),
  refusals: [],
});

/**
 * `communicationTypeId` is absent until the user chooses: then every verified channel is used.
 * `proved` holds the channels that a code has verified. `language` is absent until the user chooses
 * one while signed in.
 */
export const ownCommunication = z.object({
  communicationTypeId: z.int().optional(),
  proved: z.array(channel),
  language: z.enum(languages).optional(),
});
export type OwnCommunication = z.infer<typeof ownCommunication>;

/** Our own call. */
export const getOwnCommunication = defineCall({
  name: 'getOwnCommunication',
  method: 'GET',
  path: '/api/CommunicationType/GetOwnCommunication',
  who: signedIn,
  summary: 'The caller’s channels and language for notifications',
  reply: ownCommunication,
  refusals: [],
});

/**
 * Our own call. Parts that are not sent do not change; a channel that is not verified is refused.
 */
export const changeOwnCommunication = defineCall({
  name: 'changeOwnCommunication',
  method: 'POST',
  path: '/api/CommunicationType/ChangeOwnCommunication',
  who: signedIn,
  summary: 'Choose channels and language for notifications',
  body: z.object({
    communicationTypeId: z.int().optional(),
    language: z.enum(languages).optional(),
  }),
  reply: ownCommunication,
  refusals: ['CommunicationTypeNotFound', 'AddressNotProved'],
});
