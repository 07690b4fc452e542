import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allCalls, isCall } from '@diwan/contract/all-calls';
import { repeatsOf, type Repeats } from '@diwan/contract/wire/call';

const contract = join(import.meta.dirname, '../../../contract/src');

it('holds every call that the contract exports, once', async () => {
  const files = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|all-calls|testing/.test(file),
  );
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ join(contract, file))),
  );
  const exported = modules.flatMap((each) => Object.values(each).filter(isCall));
  expect(exported.length).toBeGreaterThan(100);
  expect(new Set(allCalls)).toEqual(new Set(exported));
  expect(allCalls).toHaveLength(exported.length);
});

it('gives every call a unique name and address', () => {
  expect(new Set(allCalls.map(({ name }) => name)).size).toBe(allCalls.length);
  expect(new Set(allCalls.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    allCalls.length,
  );
});

// Every other call that is not a GET repeats by key: it is one transaction, which stores its answer, and
// `lost-commits.test.ts` cuts it at its commit. A change here needs the reasons of `Repeats`.
const harmless = [
  'calculateCostForAnswers',
  'checkSealedFile',
  'completeAttachment',
  'completeComplaintDocument',
  'completePartnerDocument',
  'createAttachment',
  'createComplaintDocument',
  'createPartnerDocument',
  'deleteAttachment',
  'downloadComplaintDocument',
  'findComplaint',
  'findFines',
  'getPushState',
  'judgeWorkflow',
  'markNotifications',
  'prepareBulkChange',
  'previewCalendar',
  'previewCertificate',
  'previewLegalText',
  'previewMessages',
  'previewPartnerServices',
  'previewTextImport',
  'readCompanyInvitation',
  'readIdentityCard',
  'readStaffInvitation',
  'recordSearch',
  'removePushSubscription',
  'renewComplaintUpload',
  'renewPartnerUpload',
  'renewUpload',
  'saveDraft',
  'savePushSubscription',
  'saveServiceDraft',
  'saveWorkflowDraft',
  'simulateWorkflow',
  'trySynonyms',
];
const unstored = [
  'acceptCompanyInvitation',
  'acceptStaffInvitation',
  'beginActing',
  'beginSecondFactor',
  'changeContact',
  'changeUserPassword',
  'confirmSecondFactor',
  'createUser',
  'declineUAEPassLink',
  'endActing',
  'endSessions',
  'fetchSettlement',
  'findPerson',
  'forgotPassword',
  'importSettlement',
  'joinCompany',
  'joinStaff',
  'linkUAEPass',
  'login',
  'logout',
  'newRecoveryCodes',
  'prepareCatalogueImport',
  'receivePaymentMessage',
  'refreshToken',
  'removeSecondFactor',
  'resetPassword',
  'runCatalogueJob',
  'savePartnerServices',
  'saveText',
  'saveTexts',
  'sendActingCode',
  'sendPasswordCode',
  'sendVerificationCode',
  'setUpPortal',
  'uploadAttachment',
  'uploadComplaintDocument',
  'uploadPartnerDocument',
];

it('knows of every call that is not a GET how it repeats', () => {
  const named = (how: Repeats) =>
    allCalls
      .filter((call) => repeatsOf(call) === how)
      .map(({ name }) => name)
      .toSorted();
  expect(named('harmless')).toEqual(harmless);
  expect(named('continues')).toEqual(['createPayment']);
  expect(named('unstored')).toEqual(unstored);
  for (const call of allCalls) {
    if (call.method === 'GET') expect(call.repeats, call.name).toBeUndefined();
    // What is stored is a JSON text; a stream is read once.
    if (repeatsOf(call) === 'byKey')
      expect([typeof call.reply, call.consumes], call.name).toEqual(['object', undefined]);
  }
});
