import { serverNow } from '#lib/browser/server-time.ts';
import { noText } from '#ui/editing/localized-fields.tsx';
import type {
  AnnouncementAudience,
  AnnouncementRecord,
} from '@diwan/contract/content/announcements';
import type { Role } from '@diwan/contract/wire/call';
import { timeInDubai } from '@diwan/contract/wire/days';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/**
 * An announcement as it is edited: what belongs to each kind of audience is stored while another
 * one is chosen.
 */
export interface AnnouncementDraft {
  title: LocalizedText;
  text: LocalizedText;
  kind: AnnouncementRecord['kind'];
  severity: AnnouncementRecord['severity'];
  of: AnnouncementAudience['of'];
  accountTypes: string[];
  roles: string[];
  agencyId: number | undefined;
  serviceId: number | undefined;
  isDismissible: boolean;
  from: string;
  until: string;
}

const nothingChosen = { accountTypes: [], roles: [], agencyId: undefined, serviceId: undefined };

/** The fields of an audience; those of the other kinds are empty. */
function choiceOf(
  audience: AnnouncementAudience,
): Pick<AnnouncementDraft, 'of' | 'accountTypes' | 'roles' | 'agencyId' | 'serviceId'> {
  const { of } = audience;
  if (of === 'accountTypes')
    return { ...nothingChosen, of, accountTypes: audience.ids.map(String) };
  if (of === 'roles') return { ...nothingChosen, of, roles: [...audience.names] };
  if (of === 'agency') return { ...nothingChosen, of, agencyId: audience.id };
  if (of === 'service') return { ...nothingChosen, of, serviceId: audience.id };
  return { ...nothingChosen, of };
}

/** The draft of an announcement, or of a new one for everybody from now on. */
export function draftOf(record: AnnouncementRecord | undefined): AnnouncementDraft {
  if (!record)
    return {
      title: noText,
      text: noText,
      kind: 'maintenance',
      severity: 'information',
      ...choiceOf({ of: 'everybody' }),
      isDismissible: true,
      from: timeInDubai(new Date(serverNow())),
      until: '',
    };
  const { title, text, kind, severity, audience, isDismissible, from, until } = record;
  return {
    title,
    text,
    kind,
    severity,
    ...choiceOf(audience),
    isDismissible,
    from: timeInDubai(new Date(from)),
    until: until ? timeInDubai(new Date(until)) : '',
  };
}

/** The audience of a draft; undefined while nothing is chosen. */
export function audienceOf(draft: AnnouncementDraft): AnnouncementAudience | undefined {
  if (draft.of === 'accountTypes')
    return draft.accountTypes.length > 0
      ? { of: draft.of, ids: draft.accountTypes.map(Number) }
      : undefined;
  if (draft.of === 'roles')
    return draft.roles.length > 0 ? { of: draft.of, names: draft.roles as Role[] } : undefined;
  if (draft.of === 'everybody') return { of: draft.of };
  const id = draft.of === 'agency' ? draft.agencyId : draft.serviceId;
  return id === undefined ? undefined : { of: draft.of, id };
}
