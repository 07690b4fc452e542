import { inviteCompanyUser } from '@diwan/contract/people/companies';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById, type RequestRecord } from '@diwan/contract/requests/requests';
import { call, newToken, sandboxUrl } from '../api.ts';

type RecordTest = (record: RequestRecord) => boolean;

/** One call of each kind for each worker: its pictures of a page show the same in every language. */
const known = new Map<string, Promise<unknown>>();
function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
  const result = (known.get(key) as Promise<T> | undefined) ?? ask();
  known.set(key, result);
  return result;
}

// A running product limits sign-ins. Tokens are valid for 15 minutes.
const tokens = new Map<string, { token: Promise<string>; until: number }>();
/** A token of a demo user for reading, also of earlier visits. */
export function tokenOf(username: string): Promise<string> {
  const before = tokens.get(username);
  if (before && before.until > Date.now()) return before.token;
  const token = newToken(username);
  tokens.set(username, { token, until: Date.now() + 5 * 60_000 });
  return token;
}

async function readRecords(username: string): Promise<RequestRecord[]> {
  const token = await tokenOf(username);
  const { items } = (await call(getRequestsByStatusId, { token, query: { Take: 50 } })).body;
  return Promise.all(
    items.map(
      async ({ requestId }) =>
        (await call(getRequestById, { token, query: { RequestId: requestId } })).body,
    ),
  );
}

/** A request of the demo that a user may see. */
export async function recordOf(
  username: string,
  test: RecordTest = () => true,
): Promise<RequestRecord> {
  const record = (await once(`records ${username}`, () => readRecords(username))).find(test);
  if (!record) throw new Error(`no record of ${username} to show this`);
  return record;
}

export const numberOf = async (username: string, test?: RecordTest): Promise<string> =>
  (await recordOf(username, test)).requestNumber;

/** The address of the page of a request, for the user who visits it. */
export const details = (test: RecordTest) => async (username: string) =>
  `/requests/request-details?request-number=${await numberOf(username, test)}`;

export const may =
  (action: RequestRecord['allowedActions'][number]): RecordTest =>
  (record) =>
    record.allowedActions.includes(action);
export const isTone =
  (tone: RequestRecord['statusTone']): RecordTest =>
  (record) =>
    record.statusTone === tone;
export const isWhole: RecordTest = (record) => record.attachments.length > 1;

/** The path of an invitation into a company. Only the message contains it. */
export const invitationPath = (): Promise<string> =>
  once('invitation', async () => {
    const email = `colleague${process.env.TEST_PARALLEL_INDEX}@example.com`;
    await call(inviteCompanyUser, { token: await tokenOf('company'), body: { email } });
    const messages = await (await fetch(`${sandboxUrl}/messages`)).text();
    const path = /companies\/join#[\w-]+/.exec(messages.slice(messages.indexOf(email)))?.[0];
    if (!path) throw new Error('no message with an invitation');
    return `/${path}`;
  });
