import { z } from 'zod';
import { administrators, auditReaders, defineCall } from '../wire/call.ts';
import { localTime } from '../wire/days.ts';
import { versionOrNew } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';

/** The longest texts of the portal's details in one language, in characters. */
export const maximumPortalName = 60;
export const maximumShortName = 20;
export const maximumSupportHours = 120;
export const maximumBanner = 200;

const textOf = (maximum: number) =>
  z.strictObject({
    'ar-EG': z.string().trim().max(maximum),
    'en-US': z.string().trim().max(maximum),
    'ur-PK': z.string().trim().max(maximum),
  });

/** A drawing that the portal ships, or one that `UploadLogo` has stored. */
const logoPath = z.string().regex(/^\/logos\/(cards\/[\w-]+|uploaded\/[0-9a-f]{32})\.(svg|png)$/);

/** A page of the portal on another site; only https. */
export const socialLink = z.strictObject({
  name: z.string().trim().min(1).max(40),
  url: z
    .string()
    .trim()
    .max(300)
    .regex(/^https:\/\/[^\s/]+/),
});
/** A card that people can pay with. */
export const cardScheme = z.strictObject({
  name: z.string().trim().min(1).max(40),
  logo: logoPath,
});

const details = {
  /** The portal's name in every text, title, mail and document. */
  name: textOf(maximumPortalName),
  /** The name in SMS and on the home screens of phones; blank: the name. */
  shortName: textOf(maximumShortName),
  /** In the header, the footer and the tab of the browser; missing: the shipped mark. */
  logo: logoPath.optional(),
  /** The same on a dark page; missing: `logo`. */
  darkLogo: logoPath.optional(),
  supportPhone: z.string().trim().max(30),
  supportEmail: z.union([z.literal(''), z.email().max(200)]),
  supportHours: textOf(maximumSupportHours),
  social: z.array(socialLink).max(8),
  cards: z.array(cardScheme).max(8),
  /** The line above the header; blank: none. */
  banner: textOf(maximumBanner),
};

/**
 * What a deployment says about itself. `version` is 0 until it is saved for the first time. Times are
 * UTC.
 */
export const portalDetails = z.object({
  ...details,
  name: localizedText,
  bannerFrom: z.iso.datetime().optional(),
  bannerUntil: z.iso.datetime().optional(),
  version: versionOrNew,
});
export type PortalDetails = z.infer<typeof portalDetails>;

/** Our own calls: the specification has no page for them. See docs/unknowns.md. */
export const getPortalDetails = defineCall({
  name: 'getPortalDetails',
  method: 'GET',
  path: '/api/Portal/GetPortalDetails',
  who: auditReaders,
  summary: 'The name, logo, support, links and banner of the portal in three languages',
  reply: portalDetails,
  refusals: [],
});

export const savePortalDetails = defineCall({
  name: 'savePortalDetails',
  method: 'POST',
  path: '/api/Portal/SavePortalDetails',
  who: administrators,
  summary: 'Change the name, logo, support, links and banner of the portal',
  body: z.strictObject({
    ...details,
    version: versionOrNew,
    /** Times in Asia/Dubai; missing: from now on, without an end. */
    bannerFrom: localTime.optional(),
    bannerUntil: localTime.optional(),
  }),
  reply: portalDetails,
  refusals: ['RecordHasChanged', 'ValidationFailed'],
});
