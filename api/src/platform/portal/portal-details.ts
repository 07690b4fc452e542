import type { PortalDetails } from '@diwan/contract/content/portal-details';
import { createTranslator, setPortalNames } from '../core/locale-texts.ts';
import { countPassedMoments } from '../core/passed-moments.ts';

/** What an administrator has saved; the rest is of `configuration.json` and of the texts. */
export type StoredPortalDetails = Partial<Omit<PortalDetails, 'version'>>;

const noText = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };

let details: StoredPortalDetails = {};
let reads = 0;
let passedTimes = countPassedMoments([]);

const timeOf = (time: string | undefined) => (time === undefined ? null : new Date(time));

const shell = createTranslator('shell');
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The phone of support, else its email; empty where there is neither. */
function contactOf(
  { supportPhone, supportEmail }: StoredPortalDetails,
  { support = {} }: { support?: unknown },
): string {
  const { phone, email } = support as Record<string, unknown>;
  return (supportPhone ?? textOf(phone)) || (supportEmail ?? textOf(email));
}

/**
 * Replaces the details of this process. `file` is the content of `configuration.json`, which holds where
 * nothing is saved. Decision 0126.
 */
export function setPortalDetails(
  newer: StoredPortalDetails,
  file: Record<string, unknown> = {},
): void {
  details = newer;
  reads += 1;
  passedTimes = countPassedMoments([timeOf(newer.bannerFrom), timeOf(newer.bannerUntil)]);
  const contact = contactOf(newer, file);
  setPortalNames(
    { wordmark: newer.name ?? noText, shortName: newer.shortName ?? noText },
    (language) => (contact === '' ? '' : shell('supportWith', language, { contact })),
  );
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
