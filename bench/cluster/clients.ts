import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getService,
  getServiceIdByServiceName,
  type Service,
} from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { completeAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import { discardDraft, saveDraft } from '@diwan/contract/requests/drafts';
import * as actions from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  makeAnswers,
  uploadRequiredDocuments,
} from '../../api/src/testing/requests/demo-request.ts';
import { freeService, paidService } from '../../api/src/testing/requests/request-stage.ts';
import type { TestApp } from '../../api/src/testing/test-app.ts';
import type { Act, Outcome, Reading } from './check-history.ts';
import type { Observed, PortalCall } from './portal-caller.ts';

const staff = ['employee', 'employee2', 'supervisor2'] as const;
type StaffName = (typeof staff)[number];

/** How soon an unanswered act is repeated, and for how long, in milliseconds. */
const pause = 300;
const longest = 120_000;

/** What an answer of an action says about its request. */
interface Answered {
  requestId?: number;
  version?: number;
  statusId?: number;
}

/** The statuses of an answer after which the same call is made again. */
const isUnavailable = (status: number) => status === 0 || status >= 500 || status === 429;

/** What the clients of one round did and saw. */
export class Clients {
  readonly acts: Act[] = [];
  readonly readings: Reading[] = [];
  readonly observed: Observed[] = [];
  readonly #call: PortalCall;
  readonly #users: readonly string[];
  readonly #random: () => number;
  readonly #tokens = new Map<string, string>();
  readonly #services = new Map<string, Service>();
  #isOver = false;

  /** `call` reports what it sees to `observed`. */
  constructor(
    open: (observe: (observed: Observed) => void) => PortalCall,
    users: readonly string[],
    random: () => number,
  ) {
    this.#call = open((each) => this.observed.push(each));
    this.#users = users;
    this.#random = random;
  }

  /** Signs everybody in, once, and reads what is asked for. */
  async prepare(): Promise<void> {
    for (const username of [...this.#users, ...staff]) {
      const body = { username, password: demoPassword };
      const answer = await this.#insist(() => this.#call(login, { body }));
      if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.status}`);
      this.#tokens.set(username, answer.body.token);
    }
    for (const serviceName of [freeService, paidService]) {
      const found = await this.#call(getServiceIdByServiceName, { query: { serviceName } });
      const { body } = await this.#call(getService, { query: { serviceId: found.body.serviceId } });
      this.#services.set(serviceName, body);
    }
    this.observed.length = 0;
  }

  /** What was seen until now belongs to an earlier round. */
  begin(): void {
    this.#isOver = false;
    for (const list of [this.acts, this.readings, this.observed]) list.length = 0;
  }

  /** Lets each client end what it does. */
  end(): void {
    this.#isOver = true;
  }

  /** Runs one client for each user, until the end. */
  async run(): Promise<void> {
    await Promise.all(
      this.#users.map(async (username, index) => {
        while (!this.#isOver) await this.#live(username, index % 2 === 0);
      }),
    );
  }

  #token = (username: string) => this.#tokens.get(username) ?? '';

  /** Makes a call again while the portal is unavailable, with the same key. */
  async #insist<Reply extends { status: number }>(
    make: (key: string) => Promise<Reply>,
  ): Promise<Reply> {
    const until = performance.now() + longest;
    const key = randomUUID();
    for (;;) {
      const answer = await make(key);
      if (!isUnavailable(answer.status) || performance.now() > until) return answer;
      await sleep(pause);
    }
  }

  /** One act, with all its repetitions. Returns the answer when it was acknowledged. */
  async #act<Body extends Answered>(
    act: Pick<Act, 'mark' | 'action' | 'requestId'>,
    make: (key: string) => Promise<{ status: number; body: Body }>,
  ): Promise<Body | undefined> {
    const begin = performance.now();
    const { status, body } = await this.#insist(make);
    const end = performance.now();
    // A repetition by the key of its act gets the first answer, so a refusal is one of the act.
    const isRefused = !isUnavailable(status);
    const outcome: Outcome = status === 200 ? 'done' : isRefused ? 'refused' : 'unknown';
    const { requestId = act.requestId, version = 1, statusId } = outcome === 'done' ? body : {};
    this.acts.push({
      ...act,
      begin,
      end,
      outcome,
      ...(requestId === undefined ? {} : { requestId }),
      ...(outcome === 'done' ? { version } : {}),
      ...(statusId === undefined ? {} : { statusId }),
    });
    return outcome === 'done' ? body : undefined;
  }

  async #read(username: string, requestId: number): Promise<number | undefined> {
    const begin = performance.now();
    const query = { RequestId: requestId };
    const { status, body } = await this.#insist(() =>
      this.#call(getRequestById, { token: this.#token(username), query }),
    );
    if (status !== 200) return undefined;
    const { version, statusId } = body;
    this.readings.push({ requestId, version, statusId, begin, end: performance.now() });
    return version;
  }

  /** Sends a request by a draft, so that its repetition is recognised. */
  async #send(username: string): Promise<number | undefined> {
    const service = this.#services.get(freeService) as Service;
    const [token, draftId, answers] = [
      this.#token(username),
      randomUUID(),
      makeAnswers(service.form),
    ];
    const draft = { draftId, serviceId: service.id, revision: 0, answers };
    const saved = await this.#insist(() =>
      this.#call(saveDraft, { token, body: { ...draft, attachmentIds: [], passed: [] } }),
    );
    // A repetition is refused where the first save arrived.
    const isSaved = saved.status === 200 || saved.refused.error === 'DraftHasChanged';
    if (!isSaved) return undefined;
    // There is one open draft for a service: it would be in the way of the next request.
    const discard = () =>
      this.#insist(() => this.#call(discardDraft, { token, body: { draftId } }));
    const attachmentIds = await this.#upload(token, service);
    // Without its documents a request is refused, which says nothing about the fault.
    if (attachmentIds.length === 0) return void (await discard());
    const body = {
      serviceId: service.id,
      answers,
      attachmentIds,
      draftId,
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
    };
    const created = await this.#act({ mark: draftId, action: 'create' }, (key) =>
      this.#call(actions.createRequest, { token, body, key }),
    );
    if (!created) await discard();
    return created?.requestId;
  }

  /** Uploads what a service requires; none where the portal refuses. */
  #upload(token: string, service: Service): Promise<string[]> {
    const call: TestApp['call'] = async (contract, parts) => {
      const answer = await this.#insist((key) => this.#call(contract, { ...parts, key }));
      if (contract.name !== uploadAttachment.name || answer.status === 200) return answer;
      // The content may have arrived at a call whose answer was lost: browsers ask in the same way.
      const { params = {} } = parts ?? {};
      const asked = await this.#insist(() =>
        this.#call(completeAttachment, { token, params: params as { attachmentId: string } }),
      );
      return { ...answer, status: asked.status };
    };
    return uploadRequiredDocuments({ call }, token, service).catch(() => []);
  }

  async #live(username: string, hasDocuments: boolean): Promise<void> {
    if (hasDocuments && this.#random() < 0.2)
      await this.#upload(this.#token(username), this.#services.get(paidService) as Service);
    const requestId = await this.#send(username);
    if (requestId === undefined) return void (await sleep(pause));
    const version = (await this.#read(username, requestId)) ?? 1;
    // Two members of staff at the same version: one of them gets it.
    const takers: StaffName[] = this.#random() < 0.3 ? ['employee', 'employee2'] : ['employee'];
    const taken = await Promise.all(
      takers.map(async (taker) => {
        const act = { mark: randomUUID(), action: 'receive', requestId };
        const parts = { token: this.#token(taker), params: { requestId }, query: { version } };
        const answer = await this.#act(act, (key) =>
          this.#call(actions.receiveRequest, { ...parts, key }),
        );
        return answer && { taker, version: answer.version };
      }),
    );
    const holder = taken.find((each) => each !== undefined);
    if (!holder) return;
    await this.#read(username, requestId);
    const move = async (
      name: StaffName,
      action: 'approve' | 'accept' | 'submitted',
      at: number | undefined,
    ) => {
      if (at === undefined) return undefined;
      const calls = {
        approve: actions.approveRequest,
        accept: actions.acceptRequest,
        submitted: actions.submittedRequest,
      };
      const mark = randomUUID();
      const messages = { messageAr: mark, messageEn: mark, messageUr: mark };
      const body = { requestId, version: at, ...messages };
      const answer = await this.#act({ mark, action, requestId }, (key) =>
        this.#call(calls[action], { token: this.#token(name), body, key }),
      );
      return answer?.version;
    };
    const approved = await move(holder.taker, 'approve', holder.version);
    const accepted = await move('supervisor2', 'accept', approved);
    await move('supervisor2', 'submitted', accepted);
    await this.#read(username, requestId);
  }
}
