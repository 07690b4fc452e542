import { z } from 'zod';
import { messageChannels } from '../requests/messages.ts';
import { defineCall, signedIn } from '../wire/call.ts';
import { languages } from '../wire/languages.ts';

/**
 * A way to be told of one's requests; `name` is in the caller's language. Source: specification §7
 * CommunicationType.
 */
export const communicationType = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  channels: z.array(z.enum(messageChannels)),
});
export type CommunicationType = z.infer<typeof communicationType>;

export const getAllCommunicationType = defineCall({
  name: 'getAllCommunicationType',
  method: 'GET',
  path: '/api/CommunicationType/GetAllCommunicationType',
  who: 'anyone',
  summary: 'The ways to be told of requests',
  reply: z.array(communicationType),
  refusals: [],
});

/**
 * `communicationTypeId` is absent while nothing was chosen: then every proved way is used.
 * `proved`: the ways to which a code came once. `language` is absent until one was chosen while
 * signed in.
 */
export const ownCommunication = z.object({
  communicationTypeId: z.int().optional(),
  proved: z.array(z.enum(messageChannels)),
  language: z.enum(languages).optional(),
});
export type OwnCommunication = z.infer<typeof ownCommunication>;

/** Our own call. */
export const getOwnCommunication = defineCall({
  name: 'getOwnCommunication',
  method: 'GET',
  path: '/api/CommunicationType/GetOwnCommunication',
  who: signedIn,
  summary: 'How the caller wants to be told of requests',
  reply: ownCommunication,
  refusals: [],
});

/** Our own call. What is not sent stays as it is; a way that is not proved is refused. */
export const changeOwnCommunication = defineCall({
  name: 'changeOwnCommunication',
  method: 'POST',
  path: '/api/CommunicationType/ChangeOwnCommunication',
  who: signedIn,
  summary: 'Choose how, and in which language, to be told of requests',
  body: z.object({
    communicationTypeId: z.int().optional(),
    language: z.enum(languages).optional(),
  }),
  reply: ownCommunication,
  refusals: ['CommunicationTypeNotFound', 'AddressNotProved'],
});
