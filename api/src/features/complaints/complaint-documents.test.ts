import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { listMessagesTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { complainant, complaintOf } from '#testing/well-formed/complaints.ts';
import {
  createComplaintDocument,
  downloadComplaintDocument,
  uploadComplaintDocument,
} from '@diwan/contract/content/complaint-documents';
import {
  answerComplaint,
  findComplaint,
  getComplaints,
  getMyComplaints,
  sendComplaint,
} from '@diwan/contract/content/complaints';
import { deleteOldComplaints } from './complaint-documents.actions.ts';

// `paidService` is of the agency of `agency-rta`.
const app = useTestApp();
const stage = openRequestStage(app);

const announce = async (username: string, file: { mediaType?: string; size?: number } = {}) =>
  app.callAs(username, createComplaintDocument, {
    body: { fileName: 'bill.pdf', mediaType: 'application/pdf', size: smallPdf.length, ...file },
  });
const upload = async (username: string, content = smallPdf) => {
  const { documentId } = (await announce(username, { size: content.length })).body;
  const { status, refused } = await app.callAs(username, uploadComplaintDocument, {
    params: { documentId },
    body: content,
  });
  return { documentId, status, refused };
};
const send = async (username: string, documentIds: string[], isOfAgency = true) =>
  app.callAs(username, sendComplaint, {
    body: {
      ...(isOfAgency
        ? complaintOf('service', (await stage.findService(paidService)).id)
        : complaintOf('other')),
      documentIds,
    },
  });
const answer = async (username: string, reference: string, documentIds: string[]) => {
  const { items } = (await app.callAs('admin', getComplaints, { query: { Take: 100 } })).body;
  const { complaintId, version } = items.find((each) => each.reference === reference)!;
  return app.callAs(username, answerComplaint, {
    body: {
      complaintId,
      version,
      answer: 'The letter with the file answers you.',
      isClosed: true,
      documentIds,
    },
  });
};
const open = async (
  username: string | undefined,
  documentId: string,
  proof: { reference?: string; email?: string } = {},
) =>
  app.call(downloadComplaintDocument, {
    ...(username ? { token: await app.signIn(username) } : {}),
    body: { documentId, ...proof },
  });

it('files of a complaint and of its answer open for both sides, and for nobody else', async () => {
  const { documentId } = await upload('individual');
  const { reference } = (await send('individual', [documentId])).body;
  const { documentId: answered } = await upload('agency-rta');
  expect((await answer('agency-rta', reference, [answered])).status).toBe(200);
  const mail = (await listMessagesTo(app, complainant.email)).find(
    ({ subject, body }) => subject.includes(reference) && body.includes('answers you'),
  );
  expect(mail?.body).toContain('One file comes with this answer');
  const { items } = (await app.callAs('individual', getMyComplaints, { query: {} })).body;
  const own = items.find((each) => each.reference === reference)!;
  expect(own.documents).toEqual([
    {
      documentId,
      fileName: 'bill.pdf',
      mediaType: 'application/pdf',
      size: smallPdf.length,
      scanState: 'notScanned',
    },
  ]);
  expect(own.answers[0]?.documents.map((each) => each.documentId)).toEqual([answered]);

  const { email } = complainant;
  for (const id of [documentId, answered]) {
    for (const username of ['individual', 'agency-rta', 'admin', 'auditor'])
      expect([username, (await open(username, id)).status]).toEqual([username, 200]);
    expect((await open(undefined, id, { reference, email })).status).toBe(200);
    for (const username of ['individual2', 'company', 'employee', 'supervisor', 'finance'])
      expect([username, (await open(username, id)).status]).toEqual([username, 404]);
    expect((await open('agency-moi', id)).status).toBe(404);
    for (const proof of [
      {},
      { reference },
      { email },
      { reference, email: 'other@example.ae' },
      { reference: 'CP-AAAAAAAAAA', email },
    ])
      expect((await open(undefined, id, proof)).status).toBe(404);
  }
  const shown = (await app.call(findComplaint, { body: { reference, email } })).body;
  expect(shown.documents).toHaveLength(1);
});

it('a file of somebody else, one that was sent already and an unknown one are refused', async () => {
  const { documentId: other } = await upload('individual2');
  const { documentId: sent } = await upload('individual');
  expect((await send('individual', [sent])).status).toBe(200);
  const { documentId: announced } = (await announce('individual')).body;
  for (const id of [other, sent, announced, '00000000-0000-4000-8000-000000000000']) {
    const { status, refused } = await send('individual', [id]);
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['documentIds']]);
  }
  const byVisitor = await app.call(sendComplaint, {
    body: { ...complaintOf('other'), documentIds: [other] },
  });
  expect(byVisitor.status).toBe(400);
  // Until it is sent, a file is nobody's to open: its sender has it.
  expect((await open('admin', other)).status).toBe(404);
  expect((await open('individual2', other)).status).toBe(404);
});

it('is inspected and limited as other documents are', async () => {
  const tooLarge = await announce('individual', { size: 10 * 1024 * 1024 + 1 });
  expect(tooLarge.refused.error).toBe('AttachmentTooLarge');
  const program = await announce('individual', { mediaType: 'application/x-msdownload' });
  expect(program.refused.error).toBe('AttachmentTypeNotAccepted');
  const { refused } = await upload('individual', Buffer.from('MZ is no document'));
  expect(refused.error).toBe('AttachmentTypeNotAccepted');
  const six = await Promise.all(Array.from({ length: 6 }, () => upload('individual')));
  const ids = six.map(({ documentId }) => documentId);
  expect((await send('individual', ids)).status).toBe(400);
  expect((await send('individual', ids.slice(1))).status).toBe(200);
});

it('is deleted with its closed complaint, or when it was never sent', async () => {
  const removed: string[] = [];
  const files = { remove: (id: string) => Promise.resolve(void removed.push(id)) };
  const { documentId } = await upload('individual');
  const { reference } = (await send('individual', [documentId])).body;
  const { documentId: answered } = await upload('agency-rta');
  await answer('agency-rta', reference, [answered]);
  const { documentId: unsent } = await upload('individual');
  await sql`
    update complaints
    set state = 'closed', closed_at = now() - interval '11 days'
    where reference = ${reference}`.execute(app.database);
  await sql`
    update complaint_documents
    set created_at = now() - interval '31 days'
    where id = ${unsent}`.execute(app.database);
  const context = { database: app.database, files: files as never };
  await deleteOldComplaints(context, { closed: 12, unsent: 32 });
  expect(removed).toEqual([]);
  await deleteOldComplaints(context, { closed: 10, unsent: 30 });
  expect(removed.toSorted()).toEqual([documentId, answered, unsent].toSorted());
});
