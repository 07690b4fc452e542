import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/staff/urgent-reading';
import {
  listOpenings,
  openByUrgentRight,
  reviewOpening,
  type UrgentReadingContext,
} from './urgent-reading.actions.ts';

/** The urgent right to read one request, and the review of its uses. Our own calls. */
export function serveUrgentReading(context: AppContext, requests: UrgentReadingContext): void {
  serve(context, calls.openUrgently, ({ caller, body }) =>
    openByUrgentRight(requests, caller, body),
  );
  serve(context, calls.getUrgentOpenings, ({ caller, query, language }) =>
    listOpenings(requests, caller, query, language),
  );
  serve(context, calls.reviewUrgentOpening, async ({ caller, body }) => {
    await reviewOpening(requests, caller, body);
    return {};
  });
}
