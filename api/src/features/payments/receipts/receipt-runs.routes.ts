import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  cancelReceiptRun,
  getReceiptRuns,
  startReceiptRun,
} from '@diwan/contract/payments/receipt-runs';
import { cancelRun, listRuns, startRun, type ReceiptRunsContext } from './receipt-runs.actions.ts';

/** Documents of a period, for admins and finance officers. Decision 0085. */
export function serveReceiptRuns(context: AppContext, runs: ReceiptRunsContext): void {
  serve(context, getReceiptRuns, ({ caller }) => listRuns(runs, caller));

  serve(context, startReceiptRun, async ({ caller, body }) => {
    await startRun(runs, caller, body);
    return listRuns(runs, caller);
  });

  serve(context, cancelReceiptRun, async ({ caller, body }) => {
    await cancelRun(runs, body.runId);
    return listRuns(runs, caller);
  });
}
