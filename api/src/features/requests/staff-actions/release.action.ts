import { defineStaffAction } from './staff-action.ts';

/** The request has no holder any more. */
export const release = defineStaffAction<'release'>()({
  read: () => undefined,
  prepare: async () => ({ changes: { holder_id: null } }),
});
