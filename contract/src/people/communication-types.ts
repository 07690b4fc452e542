import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { channel } from '../wire/channels.ts';
import { recordId } from '../wire/ids.ts';
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
    communicationTypeId: recordId.optional(),
    language: z.enum(languages).optional(),
  }),
  reply: ownCommunication,
  refusals: ['CommunicationTypeNotFound', 'AddressNotProved'],
});

/** The address at which a push service takes messages for a browser: RFC 8030. */
const endpoint = z.url({ protocol: /^https?$/ }).max(1000);

const pushState = z.object({
  /** The public key of this portal in base64url, for `pushManager.subscribe`. */
  key: z.string(),
  /** Whether this browser shows the messages of the caller. */
  isOn: z.boolean(),
});

/**
 * Our own. Without `endpoint` the browser has no subscription. One of another user is removed: the
 * browser shows messages of the user who is signed in, or none.
 */
export const getPushState = defineCall({
  name: 'getPushState',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Notification/GetPushState',
  who: signedIn,
  summary:
    'Whether a browser shows the messages of the caller, and the key that it subscribes with',
  body: z.object({ endpoint: endpoint.optional() }),
  reply: pushState,
  refusals: [],
});

/**
 * Our own: `publicKey` (P-256, 65 bytes) and `secret` (16 bytes) in base64url, as the browser gives
 * them. A user has at most ten browsers; the one that was seen least recently makes room.
 */
export const savePushSubscription = defineCall({
  name: 'savePushSubscription',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Notification/SavePushSubscription',
  who: signedIn,
  summary: 'Show the messages of the caller in this browser',
  body: z.object({
    endpoint,
    publicKey: z.string().regex(/^B[\w-]{86}$/),
    secret: z.string().regex(/^[\w-]{22}$/),
  }),
  reply: pushState,
  refusals: ['PushServiceUnknown', 'ValidationFailed'],
});

/** Our own. */
export const removePushSubscription = defineCall({
  name: 'removePushSubscription',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Notification/RemovePushSubscription',
  who: signedIn,
  summary: 'Show no more messages of the caller in this browser',
  body: z.object({ endpoint }),
  reply: pushState,
  refusals: [],
});
