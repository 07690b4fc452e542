import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/content/complaints';
import type { Calendars } from '../calendars/calendars.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import * as actions from './complaints.actions.ts';
import { deleteClosed } from './complaints.store.ts';

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
  serve(context, calls.getMyComplaints, ({ caller, language }) =>
    actions.listOwn(complaints, caller, language),
  );
  serve(context, calls.getComplaints, ({ caller, query, language }) =>
    actions.list(complaints, caller, query, language),
  );
  serve(context, calls.answerComplaint, async ({ caller, body }) => {
    await actions.answer(complaints, caller, body);
    return {};
  });
  return {
    jobs: [{ everySeconds: 3600, run: () => deleteClosed(database, config.COMPLAINT_DAYS) }],
  };
}
