import { demoPassword } from '#seed/seed.ts';
import { getUrgentOpenings, openUrgently } from '@diwan/contract/staff/urgent-reading';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { todayInDubai } from '@diwan/contract/wire/days';
import { openRequestStage, paidService } from '../requests/request-stage.ts';
import type { TestApp } from '../test-app.ts';
import type { Person, WellFormed } from './call.ts';

/** Gives an employee the urgent right, or takes it, without a word to open connections. */
export async function setUrgentRight(
  app: TestApp,
  username: string,
  reads_urgently = true,
): Promise<void> {
  await app.database
    .updateTable('users')
    .set({ reads_urgently })
    .where('username', '=', username)
    .execute();
}

/** What opens a request by the urgent right. */
export const urgentOpeningOf = (requestNumber: string): BodyInputOf<typeof openUrgently> => ({
  requestNumber,
  reason: 'danger',
  reasonText: 'The hospital needs the blood group now',
  password: demoPassword,
  isConfirmed: true,
});

/** The urgent right of `employee-moi`, on a request of another agency. */
export function wellFormedUrgentReading(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  const owner: Person = 'individual';
  const approved = () => stage.sendAndApprove(owner, paidService);
  const today = { From: todayInDubai(), Until: todayInDubai() };
  async function opened(): Promise<string> {
    await setUrgentRight(app, 'employee-moi');
    const { requestNumber } = await approved();
    await app.callAs('employee-moi', openUrgently, { body: urgentOpeningOf(requestNumber) });
    return requestNumber;
  }
  return {
    openUrgently: {
      owner,
      make: async () => {
        await setUrgentRight(app, 'employee-moi');
        return { body: urgentOpeningOf((await approved()).requestNumber) };
      },
    },
    getUrgentOpenings: {
      make: async () => {
        await opened();
        return { query: today };
      },
    },
    reviewUrgentOpening: {
      owner,
      make: async () => {
        const requestNumber = await opened();
        const { body } = await app.callAs('admin', getUrgentOpenings, { query: today });
        const opening = body.find((each) => each.requestNumber === requestNumber);
        return {
          body: {
            openingId: opening?.openingId ?? 0,
            finding: 'justified',
            findingText: 'The hospital confirmed it',
          },
        };
      },
    },
  };
}
