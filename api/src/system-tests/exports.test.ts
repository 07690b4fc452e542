import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import { getAuditEvents } from '@diwan/contract/people/audit';
import type { Call } from '@diwan/contract/wire/call';
import { languages } from '@diwan/contract/wire/languages';
import { findTranslation } from '../platform/core/locale-texts.ts';
import { openRoleStage, type RoleStage } from '../testing/well-formed/role-stage.ts';

/** The calls that answer with a file or lead to one, and why they are no export of a list. */
const noExports: Readonly<Record<string, string>> = {
  downloadFile:
    'one document; that staff read it is in request_reads, who made a run of receipts here',
  downloadComplaintDocument: 'one file of one complaint',
  downloadPartnerDocument: 'one document of one provider',
  getHolidayFile: 'the holidays of an agency, which are public',
};

const exportCalls: Call[] = allCalls.filter((call: Call) => call.isExport);

let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage();
});
afterAll(() => stage.app.close());

const listExports = async () =>
  (
    await stage.app.callAs('auditor', getAuditEvents, { query: { Kind: 'exported', Take: 100 } })
  ).body.items.filter(({ kind }) => kind === 'exported');

it('every call that answers with a file is an export or has a reason', () => {
  const files = allCalls.filter(({ reply }) => reply === 'file').map(({ name }) => name);
  const declared = exportCalls.map(({ name }) => name);
  expect(files.filter((name) => !declared.includes(name)).toSorted()).toEqual(
    Object.keys(noExports).toSorted(),
  );
});

it('every export has a name in the audit log', () => {
  for (const { name } of exportCalls)
    for (const language of languages)
      expect(findTranslation('dashboards', `log.exports.${name}`, language), name).toBeTruthy();
});

describe('the audit log', () => {
  it.each(exportCalls.map((call) => [call.name, call] as const))(
    'records %s',
    async (row, call) => {
      const before = (await listExports()).length;
      const parts = (await stage.calls[row]?.make('admin')) ?? {};
      expect(await stage.send(call, 'individual', parts)).toMatchObject({ status: 403 });
      expect(await listExports()).toHaveLength(before);
      const { status } = await stage.send(call, 'admin', parts);
      // A fresh portal has no changed texts and no closings, and may have no receipts.
      if (!['exportTexts', 'startReceiptRun', 'getClosingStatement'].includes(row))
        expect(status).toBe(200);
      const after = await listExports();
      expect(after).toHaveLength(status < 400 ? before + 1 : before);
      if (status < 400)
        expect(after[0]).toMatchObject({
          username: 'admin',
          address: '127.0.0.1',
          call: call.name,
          filter: { ...parts.query, ...parts.body },
        });
      await stage.restore();
    },
  );

  it('has no export that was only asked for its headers', async () => {
    const before = (await listExports()).length;
    const headers = { authorization: `Bearer ${await stage.app.signIn('admin')}` };
    const url = '/api/User/ExportAuditLog?Format=csv';
    const { statusCode } = await stage.app.server.inject({ method: 'HEAD', url, headers });
    expect(statusCode).toBe(200);
    expect(await listExports()).toHaveLength(before);
  });
});
