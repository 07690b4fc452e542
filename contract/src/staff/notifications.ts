import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { longId } from '../wire/ids.ts';

/**
 * Kinds of notifications of those who process requests, all of our own. `assigned`: a colleague gave
 * the request to the user; `updated`: the applicant corrected a request that the user holds; `paid`:
 * its payment arrived; `worked`: somebody else acted on it; `arrived`: a request came to the user's
 * service provider.
 */
export const workNotificationKinds = ['assigned', 'updated', 'paid', 'worked', 'arrived'] as const;
export type WorkNotificationKind = (typeof workNotificationKinds)[number];

/**
 * Kinds of notifications of applicants about their own requests. `returned`: it needs a correction;
 * `feesDue`: a fee waits for payment; `progressed`: received, approved or accepted; `sent`: sent or
 * corrected, by somebody else in the list, by anybody in messages; `documents`: staff added a
 * document, or one of theirs is infected; `openedUrgently`: somebody of another agency opened it.
 */
export const ownNotificationKinds = [
  'returned',
  'feesDue',
  'progressed',
  'completed',
  'refused',
  'sent',
  'paymentReceived',
  'refunded',
  'documents',
  'openedUrgently',
] as const;
export type OwnNotificationKind = (typeof ownNotificationKinds)[number];

/** Applicants hear of these by mail or SMS in any case: a request waits for them, or their data was read. */
export const urgentNotificationKinds: readonly string[] = [
  'returned',
  'feesDue',
  'openedUrgently',
] satisfies OwnNotificationKind[];

/** All kinds, of work and of own requests. */
export const notificationKinds = [...workNotificationKinds, ...ownNotificationKinds] as const;
export type NotificationKind = (typeof notificationKinds)[number];

const kind = z.enum(notificationKinds);

/**
 * A notification. `actorName` is empty for applicants and where nobody acted, such as for a payment.
 * UTC.
 */
export const notification = z.object({
  id: z.int(),
  kind,
  requestId: z.int(),
  requestNumber: z.string(),
  serviceName: z.string(),
  actorName: z.string(),
  at: z.string(),
  isRead: z.boolean(),
});
export type RequestNotice = z.infer<typeof notification>;

const notificationList = z.object({
  items: z.array(notification),
  pageNumber: z.int(),
  totalCount: z.int(),
  unreadCount: z.int(),
});

/** What has settings: each kind, and the daily digest, which is a mail only. */
export const notificationSettingKinds = [...notificationKinds, 'digest'] as const;
export type NotificationSettingKind = (typeof notificationSettingKinds)[number];

/**
 * How the caller hears of a kind: in the list of notifications, by mail, by SMS to a verified number,
 * and in the browsers where they have turned that on. The choice of channels of an applicant
 * (`ownCommunication`) applies as well.
 */
export const notificationSetting = z.object({
  kind: z.enum(notificationSettingKinds),
  inPortal: z.boolean(),
  byMail: z.boolean(),
  bySms: z.boolean(),
  byPush: z.boolean(),
});
export type NotificationSetting = z.infer<typeof notificationSetting>;

export const getNotifications = defineCall({
  name: 'getNotifications',
  method: 'GET',
  path: '/api/Notification/GetNotifications',
  who: signedIn,
  summary: 'The notifications of the caller, newest first; at most 200 are stored, for 90 days',
  query: z.object({
    Unread: z.enum(['true', 'false']).optional(),
    PageNumber: z.coerce.number().int().min(1).max(1000).default(1),
    Take: z.coerce.number().int().min(1).max(50).default(20),
  }),
  reply: notificationList,
  refusals: [],
});
export const markNotifications = defineCall({
  name: 'markNotifications',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Notification/MarkNotifications',
  who: signedIn,
  summary: 'Mark notifications of the caller as read or unread; all of them without ids',
  body: z.object({
    ids: z.array(longId).min(1).max(200).optional(),
    isRead: z.boolean(),
  }),
  reply: z.object({ unreadCount: z.int() }),
  refusals: [],
});
export const getNotificationSettings = defineCall({
  name: 'getNotificationSettings',
  method: 'GET',
  path: '/api/Notification/GetNotificationSettings',
  who: signedIn,
  summary: 'How the caller hears of each kind of notification of their roles',
  reply: z.array(notificationSetting),
  refusals: [],
});
export const saveNotificationSetting = defineCall({
  name: 'saveNotificationSetting',
  method: 'POST',
  path: '/api/Notification/SaveNotificationSetting',
  who: signedIn,
  summary: 'Change how the caller hears of a kind of notification',
  body: notificationSetting,
  reply: z.array(notificationSetting),
  refusals: ['AddressNotProved', 'NotificationNeeded', 'ValidationFailed'],
});
