import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/content/complaints';
import type { Calendars } from '../calendars/calendars.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import {
  deleteOldComplaints,
  isDocumentExpected,
  openComplaintUploads,
  type ComplaintFilesContext,
} from './complaint-documents.actions.ts';
import { serveComplaintDocuments } from './complaint-documents.routes.ts';
import * as actions from './complaints.actions.ts';

/** Complaints of everybody, and their answers. */
export function registerComplaints(
  context: AppContext,
  { catalogue, calendars }: { catalogue: Catalogue; calendars: Calendars },
): Feature {
  const { database, outbox, publicUrl, config } = context;
  // Each complaint sends a mail to an address that nobody has verified.
  const limit = { perMinute: config.LOGIN_ATTEMPTS_PER_MINUTE };
  const complaints: actions.ComplaintsContext = {
    database,
    catalogue,
    calendars,
    outbox,
    publicUrl,
    workingDays: config.COMPLAINT_WORKING_DAYS,
  };
  const files: ComplaintFilesContext = {
    database,
    files: context.documents.files,
    intake: context.documents.intake,
    unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
  };
  serve(
    context,
    calls.sendComplaint,
    ({ caller, body, language }) => actions.send(complaints, caller, body, language),
    { ...limit, perPerson: true },
  );
  serve(
    context,
    calls.findComplaint,
    ({ body, language }) => actions.find(complaints, body, language),
    { ...limit, failures: {} },
  );
  serve(context, calls.getMyComplaints, ({ caller, query, language }) =>
    actions.listOwn(complaints, caller, query, language),
  );
  serve(context, calls.getComplaints, ({ caller, query, language }) =>
    actions.list(complaints, caller, query, language),
  );
  serve(context, calls.answerComplaint, async ({ caller, body }) => {
    await actions.answer(complaints, caller, body);
    return {};
  });
  serveComplaintDocuments(context, files);
  return {
    jobs: [
      { everySeconds: 15, run: () => openComplaintUploads(files).scanWaiting() },
      {
        everySeconds: 3600,
        run: () =>
          deleteOldComplaints(
            { ...files, database: withoutTimeLimits(database) },
            { closed: config.COMPLAINT_DAYS, unsent: config.UNUSED_ATTACHMENT_DAYS },
          ),
      },
    ],
    isUploadExpected: (id) => isDocumentExpected(database, id),
  };
}
