import { getAction, type RequestAction } from '@diwan/contract/requests/actions';
import { isEndTone } from '@diwan/contract/requests/workflow';
import type { WorkflowDraft } from '@diwan/contract/requests/workflows';
import type { Language } from '@diwan/contract/wire/languages';
import type { Selection } from './editing/edit-workflow.ts';

/** Something that is allowed and probably not meant; a key under `edit.warnings`. */
interface WorkflowWarning {
  code: 'sameAsEnglish' | 'notNotified' | 'nobodyMayAct' | 'adminOnly' | 'sameName' | 'notCounted';
  place: Selection;
  status?: number;
  action?: RequestAction;
  language?: Language;
}

const translated: readonly Language[] = ['ar-EG', 'ur-PK'];

function warningsOfStatus(
  { statuses, transitions, start }: WorkflowDraft,
  status: WorkflowDraft['statuses'][number],
): WorkflowWarning[] {
  const { statusId, name, tone, countsAs } = status;
  const place = { kind: 'status', statusId } as const;
  const who = transitions
    .filter(({ action, from }) => from === statusId && !getAction(action).isVoluntary)
    .flatMap((each) => each.who);
  const isDouble = statuses.some(
    (other) => other.statusId < statusId && other.name['en-US'] === name['en-US'],
  );
  const isForAdminsOnly =
    who.length > 0 && who.every((role) => role === 'Admin') && statusId !== start.draft;
  const isOnHold = transitions.some(({ action, to }) => action === 'hold' && to === statusId);
  const isUncounted =
    tone === 'progress' &&
    countsAs === undefined &&
    !isOnHold &&
    who.includes('Employee') &&
    !who.includes('ServiceProvider');
  return [
    ...translated
      .filter((language) => name[language] !== '' && name[language] === name['en-US'])
      .map((language) => ({ code: 'sameAsEnglish' as const, place, status: statusId, language })),
    ...(isDouble && name['en-US'] !== ''
      ? [{ code: 'sameName' as const, place, status: statusId }]
      : []),
    ...(!isEndTone(tone) && isForAdminsOnly
      ? [{ code: 'adminOnly' as const, place, status: statusId }]
      : []),
    ...(isUncounted ? [{ code: 'notCounted' as const, place, status: statusId }] : []),
  ];
}

/** The warnings of a draft, by status and then by action. */
export function findWarnings(draft: WorkflowDraft): WorkflowWarning[] {
  const { statuses, transitions } = draft;
  const toneOf = new Map(statuses.map(({ statusId, tone }) => [statusId, tone]));
  return [
    ...statuses.flatMap((status) => warningsOfStatus(draft, status)),
    ...transitions.flatMap(({ action, to, who, notify }, index): WorkflowWarning[] => {
      const place = { kind: 'transition', index } as const;
      const isByOwner = who.some((role) => role === 'Client' || role === 'CompanyUser');
      const tone = toneOf.get(to);
      const matters = tone !== undefined && tone !== 'progress';
      return [
        ...(who.length === 0 ? [{ code: 'nobodyMayAct' as const, place, action }] : []),
        ...(matters && !notify && !isByOwner && who.length > 0
          ? [{ code: 'notNotified' as const, place, action, status: to }]
          : []),
      ];
    }),
  ];
}
