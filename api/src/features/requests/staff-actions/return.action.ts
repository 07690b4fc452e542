import { Refusal } from '#platform/core/refusals.ts';
import { sendTogether } from '#platform/database/unit-of-work.ts';
import { addInfectedDocuments, readMarks } from '../actions/return-marks.ts';
import { selectCurrentDocuments } from '../model/request-documents.store.ts';
import { getForm } from '../model/requests.store.ts';
import { findActiveReasons } from '../rejection-reasons/rejection-reasons.actions.ts';
import { completeMessage, findReasons, messageOf, providerNumber } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

/**
 * Returns a request for correction. The message is required unless something is marked, a reason
 * where the workflow requires one. Throws ReasonRequired.
 */
export const returnForCorrection = defineStaffAction<'return'>()({
  read: (body) => ({
    reasons: body.requestHistoryRejectionReasonsList,
    message: messageOf(body),
    serviceProviderRequestNumber: body.serviceProviderRequestNumber,
    marks: body.marks?.map((mark) => ({ ...mark, message: messageOf(mark) })),
  }),
  async prepare({ transaction, row, facts, step: { requires = [] }, sent }) {
    const { active, documents, form } = await sendTogether(transaction, {
      active: (part) => findActiveReasons(part, row.agency_id),
      documents: (part) => selectCurrentDocuments(part, row.id),
      form: (part) => getForm(part, row.id),
    });
    const { reasons, reasonTexts } = findReasons(sent.reasons ?? [], active);
    const markable = { row: { ...row, ...form }, documents, reasons: active, ...facts };
    const marks = addInfectedDocuments(readMarks(sent.marks ?? [], markable), markable);
    // guard: reason that the workflow requires (workflow-drafts)
    if (requires.includes('reason') && reasons.length === 0) throw new Refusal('ReasonRequired');
    const needsMessage = marks.length === 0 || requires.includes('note');
    return {
      reasons,
      message: completeMessage(sent.message, needsMessage, facts),
      changes: providerNumber(sent.serviceProviderRequestNumber),
      details: { reasonTexts, marks },
    };
  },
});
