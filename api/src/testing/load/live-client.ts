import {
  getAllStatuses,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import {
  accountHub,
  countChanges,
  eventsMissed,
  presenceHub,
  requestEvents,
  requestHub,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';
import { listenTo, type Listener } from '../hub-client.ts';
import type { TestApp } from '../test-app.ts';

/** What a client does wrong once: it ignores an event, or counts it twice. */
export type Fault = 'drop' | 'double';

/** Who looks: a clerk or admin, a supervisor, or an applicant, who sees no counts. */
export type Watcher = 'staff' | 'supervisor' | 'applicant';

/** A process that clients connect to: any of them, as behind a proxy. */
export interface Place {
  base: string;
  call: TestApp['call'];
}

/**
 * What a user sees: counts, and the rows of lists as `id:status`, in the order of the ids. `all` is
 * the list of every status.
 */
export interface Shown {
  new: number;
  processing: number;
  lists: { new: string[]; processing: string[]; all: string[] };
}

const pageSize = 100;

/**
 * A client that counts as the portal does: a reply, and each later event once; after a gap it fetches
 * again, after an event its lists. `choosePlace` returns a process that is alive.
 */
export class LiveClient {
  readonly username: string;
  readonly kind: Watcher;
  lowest = 0;
  #counts = { new: 0, processing: 0, sequence: -1 };
  #lists: Shown['lists'] = { new: [], processing: [], all: [] };
  #statusIds: { new: string; processing: string } | undefined;
  /** Each with the number of its events that are handled. */
  #listeners: { listener: Listener; handled: number }[] = [];
  #isCut = false;
  #fault: Fault | undefined;
  // A reply would repair what the fault breaks.
  readonly #isFaulty: boolean;
  readonly #signIn: TestApp['signIn'];
  readonly #choosePlace: () => Place;

  constructor(
    { username, kind }: { username: string; kind: Watcher },
    {
      signIn,
      choosePlace,
      fault,
    }: Pick<TestApp, 'signIn'> & { choosePlace: () => Place; fault?: Fault },
  ) {
    this.username = username;
    this.kind = kind;
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
    const hubs = {
      staff: [requestHub],
      supervisor: [requestHub, presenceHub],
      applicant: [accountHub],
    }[this.kind];
    this.#listeners = await Promise.all(
      hubs.map(async (hub) => ({
        listener: await listenTo({
          url: `${base}${hub}`,
          token,
          skipNegotiation: true,
          hearsTopics: true,
        }),
        handled: 0,
      })),
    );
    this.#isCut = false;
    for (const each of this.#listeners)
      void each.listener.closed.then(() => (this.#isCut ||= this.#listeners.includes(each)));
    await this.#fetchCounts();
    await this.#fetchLists();
  }

  async stop(): Promise<void> {
    const listeners = this.#listeners;
    this.#listeners = [];
    await Promise.all(listeners.map(({ listener }) => listener.connection.stop()));
  }

  /** Applies what has arrived, and repairs itself after a gap or a cut. */
  async handle(): Promise<void> {
    if (this.#isCut) return this.connect();
    const received = this.#listeners.flatMap((each) => {
      const events = each.listener.received.slice(each.handled);
      each.handled += events.length;
      return events;
    });
    const effects = received.map((each) => this.#read(each));
    if (effects.includes('gap')) await this.#fetchCounts();
    const isHeard = this.#isFaulty ? effects.includes('counted') : effects.length > 0;
    if (isHeard) await this.#fetchLists();
  }

  #read({ event, sequence }: Listener['received'][number]): 'gap' | 'counted' | undefined {
    if (event === eventsMissed) return this.#isFaulty ? undefined : 'gap';
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
    if (this.kind === 'applicant') return;
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
    const read = async (StatusIds?: string) => {
      const rows = [];
      for (let PageNumber = 1; ; PageNumber += 1) {
        const query = { ...(StatusIds ? { StatusIds } : {}), Take: pageSize, PageNumber };
        const { items } = (await call(getRequestsByStatusId, { token, query })).body;
        rows.push(...items);
        if (items.length < pageSize) break;
      }
      return rows
        .toSorted((one, other) => one.requestId - other.requestId)
        .map(({ requestId, statusId }) => `${requestId}:${statusId}`);
    };
    const group = (StatusIds: string) => (StatusIds === '' ? [] : read(StatusIds));
    const [fresh, processing, all] = await Promise.all([
      group(this.#statusIds.new),
      group(this.#statusIds.processing),
      read(),
    ]);
    this.#lists = { new: fresh, processing, all };
  }
}
