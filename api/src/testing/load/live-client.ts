import {
  getAllStatuses,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import { countChanges, requestEvents, type RequestEvent } from '@diwan/contract/wire/hubs';
import { listenTo, type Listener } from '../hub-client.ts';
import type { TestApp } from '../test-app.ts';

/** What a client does wrong once: it ignores an event, or counts it twice. */
export type Fault = 'drop' | 'double';

/** A process that clients connect to: any of them, as behind a proxy. */
export interface Place {
  base: string;
  call: TestApp['call'];
}

/** What a user of the staff or of a service provider sees: counts, and ids of requests in order. */
export interface Shown {
  new: number;
  processing: number;
  lists: { new: number[]; processing: number[] };
}

/** More requests than this are not compared. */
export const mostListed = 100;

/**
 * A client that counts as the portal does: a reply, and each later event once; after a gap it fetches
 * again, after an event its lists. `choosePlace` returns a process that is alive.
 */
export class LiveClient {
  readonly username: string;
  lowest = 0;
  #counts = { new: 0, processing: 0, sequence: -1 };
  #lists: Shown['lists'] = { new: [], processing: [] };
  #statusIds: { new: string; processing: string } | undefined;
  #listener: Listener | undefined;
  #isCut = false;
  #handled = 0;
  #fault: Fault | undefined;
  // A reply would repair what the fault breaks.
  readonly #isFaulty: boolean;
  readonly #signIn: TestApp['signIn'];
  readonly #choosePlace: () => Place;

  constructor(
    username: string,
    {
      signIn,
      choosePlace,
      fault,
    }: Pick<TestApp, 'signIn'> & { choosePlace: () => Place; fault?: Fault },
  ) {
    this.username = username;
    this.#signIn = signIn;
    this.#choosePlace = choosePlace;
    this.#fault = fault;
    this.#isFaulty = fault !== undefined;
  }

  get shown(): Shown {
    const { new: fresh, processing } = this.#counts;
    return { new: fresh, processing, lists: this.#lists };
  }

  get sequence(): number {
    return this.#counts.sequence;
  }

  async connect(): Promise<void> {
    await this.stop();
    const token = await this.#signIn(this.username);
    const { base } = this.#choosePlace();
    const listener = await listenTo({ url: `${base}/hubs/request`, token, skipNegotiation: true });
    this.#listener = listener;
    this.#isCut = false;
    void listener.closed.then(() => (this.#isCut ||= this.#listener === listener));
    this.#handled = 0;
    await this.#fetchCounts();
    await this.#fetchLists();
  }

  async stop(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    await listener?.connection.stop();
  }

  /** Applies what has arrived, and repairs itself after a gap or a cut. */
  async handle(): Promise<void> {
    if (this.#isCut) return this.connect();
    const received = this.#listener?.received.slice(this.#handled) ?? [];
    this.#handled += received.length;
    const effects = received.map((each) => this.#read(each));
    if (effects.includes('gap')) await this.#fetchCounts();
    const isHeard = this.#isFaulty ? effects.includes('counted') : effects.length > 0;
    if (isHeard) await this.#fetchLists();
  }

  #read({ event, sequence }: Listener['received'][number]): 'gap' | 'counted' | undefined {
    if (event === 'eventsMissed') return this.#isFaulty ? undefined : 'gap';
    const isCounted = requestEvents.some((known) => known === event);
    if (!isCounted || sequence <= this.#counts.sequence) return undefined;
    if (sequence > this.#counts.sequence + 1) return 'gap';
    return this.#apply(event as RequestEvent, sequence) ? 'counted' : undefined;
  }

  #apply(event: RequestEvent, sequence: number): boolean {
    const { count, by } = countChanges[event];
    const times = this.#fault === 'drop' ? 0 : this.#fault === 'double' ? 2 : 1;
    this.#fault = undefined;
    this.#counts[count] += by * times;
    this.#counts.sequence = sequence;
    this.lowest = Math.min(this.lowest, this.#counts.new, this.#counts.processing);
    return times > 0;
  }

  async #fetchCounts(): Promise<void> {
    const token = await this.#signIn(this.username);
    const { body } = await this.#choosePlace().call(getRequestsCount, { token });
    if (body.sequence < this.#counts.sequence) return;
    this.#counts = {
      new: body.newRequestsCount,
      processing: body.processingRequestsCount,
      sequence: body.sequence,
    };
  }

  async #fetchLists(): Promise<void> {
    const token = await this.#signIn(this.username);
    const { call } = this.#choosePlace();
    if (!this.#statusIds) {
      const { body } = await call(getAllStatuses, { token });
      const of = (group: string) =>
        body
          .filter(({ countsAs }) => countsAs === group)
          .map(({ statusId }) => statusId)
          .join(',');
      this.#statusIds = { new: of('new'), processing: of('processing') };
    }
    const read = async (StatusIds: string) => {
      const query = { StatusIds, Take: mostListed };
      const { body } = await call(getRequestsByStatusId, { token, query });
      return body.items.map(({ requestId }) => requestId).toSorted((a, b) => a - b);
    };
    const [fresh, processing] = await Promise.all([
      read(this.#statusIds.new),
      read(this.#statusIds.processing),
    ]);
    this.#lists = { new: fresh, processing };
  }
}
