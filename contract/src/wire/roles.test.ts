import { describe, expect, it } from 'vitest';
import { allCalls } from '../all-calls.ts';
import { homes } from '../portal/homes.ts';
import { pages } from '../portal/pages.ts';
import { roles, signedIn, type Call, type Role } from './call.ts';

const namesOf = (isWanted: (call: Call) => boolean) =>
  allCalls
    .filter(isWanted)
    .map(({ name }) => name)
    .toSorted();
const isOpenTo = ({ who }: Call, role: Role) => who !== 'anyone' && who.includes(role);
const isEverybodys = ({ who }: Call) =>
  who === 'anyone' || signedIn.every((role) => who.includes(role));

// A new call is added here, or names another group of roles.
it('leaves to administrators alone what no other duty needs', () => {
  expect(namesOf(({ who }) => who !== 'anyone' && who.join() === 'Admin')).toEqual([
    'addSupervisor',
    'changePartnerState',
    'changeRoleConfirmation',
    'changeSecondFactorPolicy',
    'decideRoleChange',
    'endUserSessions',
    'giveUpMessages',
    'hideFirstDay',
    'judgeWorkflow',
    'orderAgencies',
    'previewPartnerServices',
    'putWorkflowInForce',
    'removeSupervisor',
    'resetSecondFactor',
    'restoreCompany',
    'retryFailedMessages',
    'retryMessages',
    'saveAgency',
    'savePartnerServices',
    'savePortalDetails',
    'saveWorkflowDraft',
    'sendPasswordCode',
    'simulateWorkflow',
    'suspendCompany',
    'updateCompany',
    'updatePartner',
  ]);
});

it('lets an auditor read what an administrator reads, but for lists of own work and previews of editors', () => {
  expect(
    namesOf(
      (call) => call.method === 'GET' && isOpenTo(call, 'Admin') && !isOpenTo(call, 'Auditor'),
    ),
  ).toEqual([
    'chargeReasonCollection',
    'getColleagues',
    'getHeldActions',
    'getSnippets',
    'previewTextReplacement',
    'rejectionReasonCollection',
  ]);
});

it('lets an auditor change nothing but their own account and filters', () => {
  expect(
    namesOf((call) => call.method !== 'GET' && isOpenTo(call, 'Auditor') && !isEverybodys(call)),
  ).toEqual(['changeSavedFilter', 'deleteSavedFilter', 'giveReasonForReading', 'saveFilter']);
  expect(
    namesOf((call) => call.method !== 'GET' && call.who !== 'anyone' && isEverybodys(call)),
  ).toEqual([
    'acceptCompanyInvitation',
    'acceptStaffInvitation',
    'beginSecondFactor',
    'changeContact',
    'changeOwnCommunication',
    'changeUserPassword',
    'completeComplaintDocument',
    'confirmSecondFactor',
    'createComplaintDocument',
    'endSessions',
    'getPushState',
    'markNotifications',
    'newRecoveryCodes',
    'removePushSubscription',
    'removeSecondFactor',
    'renewComplaintUpload',
    'saveNotificationSetting',
    'savePushSubscription',
    'uploadComplaintDocument',
  ]);
});

it('divides what an administrator does: finance and content share no change', () => {
  expect(
    namesOf(
      (call) =>
        call.method !== 'GET' &&
        isOpenTo(call, 'Finance') &&
        isOpenTo(call, 'Content') &&
        !isEverybodys(call),
    ),
  ).toEqual([]);
});

describe('an agency administrator', () => {
  const theirs = allCalls.filter((call) => isOpenTo(call, 'AgencyAdmin') && !isEverybodys(call));

  it('makes no call that does not say what of it is of an agency, and no other call says it', () => {
    const declared = allCalls.filter((call: Call) => call.byAgency !== undefined);
    expect(declared.map(({ name }) => name)).toEqual(theirs.map(({ name }) => name));
    expect(theirs.length).toBeGreaterThan(20);
  });

  it.each(theirs.map((call: Call) => [call.name, call] as const))(
    'names in %s fields that the call has',
    (_, { byAgency, params, query, body }) => {
      const fields = [params, query, body].flatMap((part) =>
        Object.keys((part as { shape?: object } | undefined)?.shape ?? {}),
      );
      if (typeof byAgency === 'object') {
        expect(fields).toEqual(expect.arrayContaining(Object.values(byAgency)));
        expect(Object.keys(byAgency)).not.toEqual([]);
      }
    },
  );

  it('changes nothing that is the same for all agencies', () => {
    expect(
      theirs.filter((call: Call) => call.method !== 'GET' && call.byAgency === 'shared'),
    ).toEqual([]);
  });
});

it('gives every role a page to begin with, which it may open', () => {
  for (const role of roles) {
    const { who } = pages[homes[role]];
    expect(who === 'anyone' || who.includes(role), role).toBe(true);
  }
});
