import { expect, it } from 'vitest';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { getChanges } from '@diwan/contract/people/changes';
import { getPartnerById } from '@diwan/contract/people/partner-registration';
import { getAllServiceProviders } from '@diwan/contract/people/partners';
import { getAuditLog } from '@diwan/contract/portal/audit-log';
import { approveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById, getRequestReads } from '@diwan/contract/requests/requests';
import { getNotifications } from '@diwan/contract/staff/notifications';

const app = useTestApp();
const stage = openRequestStage(app);

it('replies in Arabic and Urdu name people in Arabic letters where their Arabic name is known', async () => {
  const people = await app.database
    .selectFrom('users')
    .select(['id', 'username', 'full_name', 'full_name_ar', 'partner_id'])
    .where('full_name_ar', 'is not', null)
    .execute();
  const personOf = (username: string) => people.find((each) => each.username === username)!;
  const { requestId, requestNumber } = await stage.sendAndReceive('company', freeService);
  const [agency] = (await app.callAs('admin', getAgencyRecords)).body;
  const { id, version, name } = agency!;
  await app.callAs('admin', saveAgency, {
    body: { id, version, name: { ...name, 'en-US': `${name['en-US']} (new)` } },
  });
  await stage.performAction('employee', approveRequest, { requestId });
  for (const language of ['ar-EG', 'ur-PK'] as const) {
    const replies = {
      record: await app.callAs('employee2', getRequestById, {
        query: { RequestId: requestId },
        language,
      }),
      list: await app.callAs('admin', getRequestsByStatusId, {
        query: { SearchKeyword: requestNumber },
        language,
      }),
      notifications: await app.callAs('supervisor2', getNotifications, { query: {}, language }),
      reads: await app.callAs('admin', getRequestReads, {
        query: { RequestId: requestId },
        language,
      }),
      supervisors: await app.callAs('admin', getAllServiceProviders, { query: {}, language }),
      partner: await app.callAs('admin', getPartnerById, {
        query: { PartnerId: personOf('supervisor').partner_id! },
        language,
      }),
      events: await app.callAs('admin', getAuditEvents, { query: {}, language }),
      changes: await app.callAs('admin', getChanges, { query: {}, language }),
      log: await app.callAs('auditor', getAuditLog, { query: {}, language }),
    };
    for (const [name, { status, body }] of Object.entries(replies)) {
      expect(status, name).toBe(200);
      // What the applicant typed stays as it is.
      const text = JSON.stringify(body, (key, value: unknown) =>
        ['applicantName', 'answers'].includes(key) ? undefined : value,
      );
      const named = people.filter((each) => text.includes(each.full_name_ar ?? ''));
      expect(named.length, `${name} names somebody`).toBeGreaterThan(0);
      const bare = people.filter((each) => text.includes(each.full_name));
      const around = ({ full_name: latin }: { full_name: string }) =>
        text.slice(Math.max(0, text.indexOf(latin) - 40), text.indexOf(latin) + latin.length);
      expect(bare.map(around), `${name} in ${language}`).toEqual([]);
    }
  }
});
