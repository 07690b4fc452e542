import { z } from 'zod';
import { contentReaders, defineCall, editors, roles } from '../wire/call.ts';
import { localTime } from '../wire/days.ts';
import { recordId, recordVersion } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';

/** What an announcement is about. */
export const announcementKinds = ['maintenance', 'holiday', 'news'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

/** How much it matters: blue, amber, red. */
export const announcementSeverities = ['information', 'warning', 'urgent'] as const;
export type AnnouncementSeverity = (typeof announcementSeverities)[number];

/**
 * Whom an announcement concerns. `accountTypes` and `roles` are shown on the pages of these people,
 * `agency` and `service` on those of its services.
 */
export const announcementAudience = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('everybody') }),
  z.strictObject({
    of: z.literal('accountTypes'),
    ids: z.array(recordId).min(1).max(20),
  }),
  z.strictObject({
    of: z.literal('roles'),
    names: z.array(z.enum(roles)).min(1).max(roles.length),
  }),
  z.strictObject({ of: z.literal('agency'), id: recordId }),
  z.strictObject({ of: z.literal('service'), id: recordId }),
]);
export type AnnouncementAudience = z.infer<typeof announcementAudience>;

/** The longest title and text in one language, in characters. */
export const maximumAnnouncementTitle = 120;
export const maximumAnnouncementText = 600;

/**
 * An announcement as people see it, in their language. `mark` names this version of it: who has
 * dismissed it sees it again after a change. `isCurrent` is false for one that begins later.
 */
export const announcement = z.object({
  id: z.int(),
  mark: z.string(),
  kind: z.enum(announcementKinds),
  severity: z.enum(announcementSeverities),
  title: z.string(),
  text: z.string(),
  audience: announcementAudience,
  /** The name of the agency or the service that it concerns. */
  concerns: z.string().optional(),
  isDismissible: z.boolean(),
  isCurrent: z.boolean(),
  from: z.iso.datetime(),
  until: z.iso.datetime().optional(),
});
export type Announcement = z.infer<typeof announcement>;

/** What a part of a page is about; the frame of the pages is about nothing. */
export interface AnnouncementPlace {
  agencyId?: number;
  serviceId?: number;
}

/** The states of an announcement; `withdrawn` was ended by an admin. */
export const announcementStates = ['planned', 'shown', 'over', 'withdrawn'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

/** An announcement as an admin sees it, in every language. Times are UTC. */
export const announcementRecord = announcement
  .pick({ id: true, kind: true, severity: true, audience: true, isDismissible: true, from: true })
  .extend({
    title: localizedText,
    text: localizedText,
    until: z.iso.datetime().optional(),
    state: z.enum(announcementStates),
    version: recordVersion,
  });
export type AnnouncementRecord = z.infer<typeof announcementRecord>;

const textOf = (maximum: number) =>
  z.strictObject({
    'ar-EG': z.string().trim().min(1).max(maximum),
    'en-US': z.string().trim().min(1).max(maximum),
    'ur-PK': z.string().trim().min(1).max(maximum),
  });

/** Our own calls: the specification has no announcements. See docs/unknowns.md. */
export const getAnnouncements = defineCall({
  name: 'getAnnouncements',
  method: 'GET',
  path: '/api/Announcement/GetAnnouncements',
  who: 'anyone',
  summary: 'Announcements of now and of the next 30 days; pages show those that concern them',
  reply: z.array(announcement),
  refusals: [],
});

export const getAllAnnouncements = defineCall({
  name: 'getAllAnnouncements',
  method: 'GET',
  path: '/api/Announcement/GetAllAnnouncements',
  who: contentReaders,
  summary: 'The newest 500 announcements in three languages with their states',
  reply: z.array(announcementRecord),
  refusals: [],
});

export const saveAnnouncement = defineCall({
  name: 'saveAnnouncement',
  method: 'POST',
  path: '/api/Announcement/SaveAnnouncement',
  who: editors,
  summary: 'Add an announcement, change or withdraw it, or show a withdrawn one again',
  body: z.object({
    id: recordId.optional(),
    version: recordVersion.optional(),
    kind: z.enum(announcementKinds),
    severity: z.enum(announcementSeverities),
    title: textOf(maximumAnnouncementTitle),
    text: textOf(maximumAnnouncementText),
    audience: announcementAudience,
    isDismissible: z.boolean(),
    /** Times in Asia/Dubai. */
    from: localTime,
    until: localTime.optional(),
    isWithdrawn: z.boolean().optional(),
  }),
  reply: announcementRecord,
  refusals: ['AnnouncementNotFound', 'RecordHasChanged', 'ValidationFailed'],
});
