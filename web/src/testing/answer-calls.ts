import { afterEach, beforeEach, expect, vi } from 'vitest';
import { repeatPauses } from '#lib/api/retry.ts';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { recordSearch } from '@diwan/contract/catalogue/searches';
import { getWaitingPublications } from '@diwan/contract/catalogue/service-designs';
import { getAnnouncements } from '@diwan/contract/content/announcements';
import { getLegalPage } from '@diwan/contract/content/legal-pages';
import { getRefunds } from '@diwan/contract/payments/events';
import { getPaymentRouting } from '@diwan/contract/payments/providers';
import { checkUAEPassEnabled, getProfile, logout } from '@diwan/contract/people/users';
import { getColleagues } from '@diwan/contract/processing/assignments';
import { getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { getPaymentMethods } from '@diwan/contract/requests/payments';
import { getRequestsCount, getVisibleAgencies } from '@diwan/contract/requests/request-lists';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { getUrgentOpenings } from '@diwan/contract/staff/urgent-reading';
import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import { profileRecord } from './people-records.ts';

/** What the page sent with one call. */
export interface ReceivedCall {
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
  /** Of a path such as `/ReceiveRequest{requestId}`, in the order of the path. */
  params: string[];
}

type Answer = (received: ReceivedCall) => unknown;

interface AnsweredCall {
  call: Call;
  path: RegExp;
  answer: Answer;
  received: ReceivedCall[];
}

/** An error reply: `throw refuse(409, 'RequestChanged')` in an answer. */
export class RefusedReply extends Error {
  readonly response: Response;
  constructor(status: number, body: unknown, headers?: HeadersInit) {
    super(`reply ${status}`);
    this.response = Response.json(body, { status, headers });
  }
}

/** A refusal as the server writes it: `{error, message}`. */
export const refuse = (status: number, error: string, message = error, headers?: HeadersInit) =>
  new RefusedReply(status, { error, message }, headers);

/** A failed validation as the server writes it: `{errors: {field: [message]}}`. */
export const refuseFields = (errors: Record<string, string[]>) => new RefusedReply(400, { errors });

let answered: AnsweredCall[] = [];
let unanswered: string[] = [];
const realFetch = window.fetch.bind(window);

/** An answer to a page that is offline. */
export const noConnection = (): never => {
  throw new TypeError('Failed to fetch');
};

/** A reply that the page waits for until `release` is called with it. */
export function holdReply<Reply>(): { reply: Promise<Reply>; release: (reply: Reply) => void } {
  let release: (reply: Reply) => void = () => undefined;
  const reply = new Promise<Reply>((resolve) => {
    release = resolve;
  });
  return { reply, release };
}

/**
 * Answers a call of the contract from now on, until the end of the test; a later answer replaces an
 * earlier one. Gives the calls that the page has sent, oldest first: read them with `expect.poll`,
 * because the page sends a call after the step that causes it.
 */
export function answerCall<C extends Call>(
  call: C,
  answer: ReplyOf<C> | ((received: ReceivedCall) => ReplyOf<C> | Promise<ReplyOf<C>>),
): ReceivedCall[] {
  const received: ReceivedCall[] = [];
  const pattern = call.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/?]+)');
  answered.unshift({
    call,
    path: new RegExp(`^${pattern}$`),
    answer: (typeof answer === 'function' ? answer : () => answer) as Answer,
    received,
  });
  return received;
}

function bodyOf(init: RequestInit | undefined): unknown {
  if (typeof init?.body !== 'string') return init?.body ?? undefined;
  try {
    return JSON.parse(init.body);
  } catch {
    return init.body;
  }
}

function findAnswer(method: string, path: string) {
  for (const one of answered) {
    const match = one.call.method === method ? one.path.exec(path) : null;
    if (match) return { ...one, params: match.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}

async function toResponse(reply: unknown): Promise<Response> {
  try {
    const value = await reply;
    return value instanceof Response ? value : Response.json(value ?? null);
  } catch (error) {
    if (error instanceof RefusedReply) return error.response.clone();
    throw error;
  }
}

async function answerFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const url = new URL(request.url);
  if (!/^\/(api|storage)\//.test(url.pathname)) return realFetch(input, init);
  const found = findAnswer(request.method, url.pathname);
  if (!found) {
    unanswered.push(`${request.method} ${url.pathname}`);
    return refuse(404, 'NotFound', 'No answer in this test').response;
  }
  const { answer, received, params } = found;
  const one = { query: url.searchParams, body: bodyOf(init), headers: request.headers, params };
  received.push(one);
  return toResponse((async () => answer(one))());
}

/** Answers calls by the test instead of the network, and fails a test whose page sent another call. */
export function answerFetchInTests(): void {
  beforeEach(() => {
    answered = [];
    unanswered = [];
    // A test that fails a call sees its error immediately.
    repeatPauses.seconds = [];
    // The menus of the staff show these numbers on every page.
    answerCall(getNotifications, { items: [], pageNumber: 1, totalCount: 0, unreadCount: 0 });
    answerCall(getRequestsCount, {
      newRequestsCount: 0,
      processingRequestsCount: 0,
      sequence: 0,
    });
    // The lists of staff are filtered by agency and holder.
    answerCall(getVisibleAgencies, []);
    answerCall(getManagedAgencies, []);
    answerCall(getColleagues, []);
    // These lists say whose requests they hold.
    answerCall(getProfile, profileRecord());
    // Requests that wait for a payment ask for the methods.
    answerCall(getPaymentMethods, []);
    // The lists of payments are filtered by a provider that is set up.
    answerCall(getPaymentRouting, { providers: [], rules: [] });
    // Pages that mention UAE PASS ask whether it is on.
    answerCall(checkUAEPassEnabled, { isEnabled: false });
    // Tests of messages and addresses use a page of legal text as any page.
    answerCall(getLegalPage, {
      page: 'terms',
      id: 1,
      changedAt: '2026-11-20T08:00:00.000Z',
      sections: [],
      versions: [],
    });
    // Searches are counted.
    answerCall(recordSearch, {});
    // The home page ends the session, also after the test that led there has ended.
    answerCall(logout, { ended: true });
    // The first pages of administrators and finance officers show what waits for a second person.
    answerCall(getWaitingPublications, []);
    answerCall(getWaitingCharges, []);
    answerCall(getUrgentOpenings, []);
    answerCall(getRefunds, { items: [], pageNumber: 1, totalCount: 0, sums: [] });
    // Every page shows announcements.
    answerCall(getAnnouncements, []);
    vi.stubGlobal('fetch', answerFetch);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    expect(unanswered, 'calls that this test does not answer').toEqual([]);
  });
}
