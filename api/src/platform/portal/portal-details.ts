import type { PortalDetails } from '@diwan/contract/content/portal-details';
import { setPortalNames } from '../core/locale-texts.ts';
import { countPassedMoments } from '../core/passed-moments.ts';

/** What an administrator has saved; the rest is of `configuration.json` and of the texts. */
export type StoredPortalDetails = Partial<Omit<PortalDetails, 'version'>>;

const noText = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };

let details: StoredPortalDetails = {};
let reads = 0;
let passedTimes = countPassedMoments([]);

const timeOf = (time: string | undefined) => (time === undefined ? null : new Date(time));

/** Replaces the details of this process. Decision 0126. */
export function setPortalDetails(newer: StoredPortalDetails): void {
  details = newer;
  reads += 1;
  passedTimes = countPassedMoments([timeOf(newer.bannerFrom), timeOf(newer.bannerUntil)]);
  setPortalNames({ wordmark: newer.name ?? noText, shortName: newer.shortName ?? noText });
}

/** The details of this moment. */
export const portalDetails = (): StoredPortalDetails => details;

/** Changes with each change of the details, and when the banner begins or ends. */
export const portalDetailsVersion = (): number => reads + passedTimes() / 4;

function isBannerShown({ banner, bannerFrom, bannerUntil }: StoredPortalDetails, now: Date) {
  const [from, until] = [timeOf(bannerFrom), timeOf(bannerUntil)];
  return banner?.['ar-EG'] && !(from && from > now) && !(until && until <= now);
}

/**
 * What browsers read as `configuration.json`: the file of the portal with the saved details. Pages
 * say that they are a demonstration where `isDemonstration`.
 */
export function writeConfiguration(
  file: Record<string, unknown>,
  { isDemonstration, now }: { isDemonstration: boolean; now: Date },
): Record<string, unknown> {
  const { supportPhone: phone, supportEmail: email, supportHours: hours, social, cards } = details;
  const { logo, darkLogo, banner } = details;
  const support = { phone, email, ...(hours?.['ar-EG'] ? { hours } : {}) };
  return {
    ...file,
    ...(phone === undefined && email === undefined ? {} : { support }),
    ...(social ? { social } : {}),
    ...(cards ? { cards } : {}),
    ...(logo ? { logo, darkLogo: darkLogo ?? logo } : {}),
    ...(isBannerShown(details, now) ? { banner } : {}),
    ...(isDemonstration ? { isDemonstration } : {}),
  };
}
