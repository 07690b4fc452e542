import { defineStaffAction } from './staff-action.ts';

/** The caller becomes the holder of the request. */
export const receive = defineStaffAction<'receive'>()({
  read: () => undefined,
  prepare: async ({ caller }) => ({ changes: { holder_id: caller.userId } }),
});
