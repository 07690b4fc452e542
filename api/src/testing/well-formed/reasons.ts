import { saveRejectionReason } from '@diwan/contract/requests/rejection-reasons';
import type { TestApp } from '../test-app.ts';
import type { WellFormed } from './call.ts';

const newNames = () => ({
  nameAr: `سبب ${crypto.randomUUID()}`,
  nameEn: `Reason ${crypto.randomUUID()}`,
  nameUr: `وجہ ${crypto.randomUUID()}`,
});

/** The reasons of returns, rejections, fines and fees. */
export function wellFormedReasons(app: TestApp): Record<string, WellFormed> {
  return {
    rejectionReasonCollection: { make: () => ({}) },
    chargeReasonCollection: { make: () => ({}) },
    getAllRejectionReasons: { make: () => ({}) },
    getUsualReasons: { make: () => ({}) },
    addUsualReasons: { make: () => ({ body: { keys: [0] } }) },
    // A reason of the agency of most services, with another name.
    saveRejectionReason: {
      make: async () => {
        const { body } = await app.callAs('admin', saveRejectionReason, {
          body: { ...newNames(), agencyId: 1 },
        });
        const { id, version } = body.at(-1) ?? {};
        return { body: { id, version, ...newNames() } };
      },
    },
  };
}
