import {
  createComplaintDocument,
  uploadComplaintDocument,
} from '@diwan/contract/content/complaint-documents';
import {
  getComplaints,
  sendComplaint,
  type ComplaintSubject,
} from '@diwan/contract/content/complaints';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { smallPdf } from '../requests/demo-request.ts';
import { openRequestStage, paidService } from '../requests/request-stage.ts';
import type { TestApp } from '../test-app.ts';
import type { Person, WellFormed } from './call.ts';

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
  const file = { fileName: 'bill.pdf', mediaType: 'application/pdf', size: smallPdf.length };
  const announce = async (as: Person) =>
    (await app.callAs(as, createComplaintDocument, { body: file })).body.documentId;
  const upload = async (as: Person) => {
    const documentId = await announce(as);
    await app.callAs(as, uploadComplaintDocument, { params: { documentId }, body: smallPdf });
    return documentId;
  };
  return {
    createComplaintDocument: { make: () => ({ body: file }) },
    uploadComplaintDocument: {
      owner: 'individual',
      make: async () => ({ params: { documentId: await announce('individual') }, body: smallPdf }),
    },
    completeComplaintDocument: {
      owner: 'individual',
      make: async () => ({ params: { documentId: await upload('individual') } }),
    },
    renewComplaintUpload: {
      owner: 'individual',
      make: async () => ({ params: { documentId: await announce('individual') } }),
    },
    downloadComplaintDocument: {
      owner: 'individual',
      make: async () => {
        const documentId = await upload('individual');
        // A complaint about something else is read by no agency.
        await app.callAs('individual', sendComplaint, {
          body: { ...complaintOf('other'), documentIds: [documentId] },
        });
        return { body: { documentId } };
      },
    },
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
