import { useTranslation } from '#lib/i18n/translate.ts';
import { useConflictFields } from '#ui/editing/conflict-fields.ts';
import { noText } from '#ui/editing/localized-fields.tsx';
import type { PortalDetails, savePortalDetails } from '@diwan/contract/content/portal-details';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { timeInDubai } from '@diwan/contract/wire/days';

/** The details as they are edited: times as the field for times writes them, blank for none. */
export type PortalDetailsDraft = Required<
  Omit<PortalDetails, 'version' | 'logo' | 'darkLogo'> & { logo: string; darkLogo: string }
>;

const localTimeOf = (time: string | undefined) => (time ? timeInDubai(new Date(time)) : '');

const noDetails: Omit<PortalDetails, 'version'> = {
  name: noText,
  shortName: noText,
  supportPhone: '',
  supportEmail: '',
  supportHours: noText,
  social: [],
  cards: [],
  banner: noText,
};

export function draftOf(saved: PortalDetails | undefined): PortalDetailsDraft {
  const { version: _version, ...details } = saved ?? { ...noDetails, version: 0 };
  return {
    ...details,
    logo: details.logo ?? '',
    darkLogo: details.darkLogo ?? '',
    bannerFrom: localTimeOf(details.bannerFrom),
    bannerUntil: localTimeOf(details.bannerUntil),
  };
}

/** What is sent: blank pictures and times are missing. */
export function bodyOf(
  { logo, darkLogo, bannerFrom, bannerUntil, ...draft }: PortalDetailsDraft,
  version: number,
): BodyInputOf<typeof savePortalDetails> {
  const optional = Object.entries({ logo, darkLogo, bannerFrom, bannerUntil });
  return {
    ...draft,
    ...Object.fromEntries(optional.filter(([, value]) => value !== '')),
    version,
  };
}

/** The values that two people gave differently, in words. */
export function useConflicts() {
  const { t } = useTranslation('portal');
  const conflictFields = useConflictFields();
  const inWords = ({ social, cards, ...draft }: PortalDetailsDraft) => ({
    ...draft,
    social: social.map(({ name, url }) => `${name} ${url}`).join('\n'),
    cards: cards.map(({ name }) => name).join('\n'),
  });
  return (mine: PortalDetailsDraft, theirs: PortalDetailsDraft) =>
    conflictFields(inWords(mine), inWords(theirs), {
      name: t('fields.name'),
      shortName: t('fields.shortName'),
      logo: t('fields.logo'),
      darkLogo: t('fields.darkLogo'),
      supportPhone: t('fields.supportPhone'),
      supportEmail: t('fields.supportEmail'),
      supportHours: t('fields.supportHours'),
      social: t('fields.social'),
      cards: t('fields.cards'),
      banner: t('fields.banner'),
      bannerFrom: t('fields.bannerFrom'),
      bannerUntil: t('fields.bannerUntil'),
    });
}
