import {
  getComplaints,
  sendComplaint,
  type ComplaintSubject,
} from '@diwan/contract/content/complaints';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { openRequestStage, paidService } from '../requests/request-stage.ts';
import type { TestApp } from '../test-app.ts';
import type { WellFormed } from './call.ts';

export const complainant = { fullName: 'Salem Al Demo', email: 'salem@example.ae' };

/** What sends a complaint about a service, or about something else. */
export const complaintOf = (
  subject: ComplaintSubject,
  serviceId?: number,
): BodyInputOf<typeof sendComplaint> => ({
  subject,
  ...(serviceId === undefined ? {} : { serviceId }),
  text: 'The office was closed at the time that the page names.',
  ...complainant,
});

/** Calls about complaints. That which is answered is about a service of an agency. */
export function wellFormedComplaints(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  const body = async () => complaintOf('service', (await stage.findService(paidService)).id);
  const sent = async () => (await app.call(sendComplaint, { body: await body() })).body;
  return {
    sendComplaint: { make: async () => ({ body: await body() }) },
    findComplaint: {
      make: async () => ({
        body: { reference: (await sent()).reference, email: complainant.email },
      }),
    },
    getMyComplaints: { make: () => ({}) },
    getComplaints: {
      make: async () => {
        await sent();
        return { query: { Take: 100 } };
      },
    },
    answerComplaint: {
      make: async () => {
        const { reference } = await sent();
        const { body: list } = await app.callAs('admin', getComplaints, { query: { Take: 100 } });
        const found = list.items.find((each) => each.reference === reference);
        return {
          body: {
            complaintId: found?.complaintId ?? 0,
            version: found?.version ?? 0,
            answer: 'The hours on the page have been corrected.',
            isClosed: true,
          },
        };
      },
    },
  };
}
