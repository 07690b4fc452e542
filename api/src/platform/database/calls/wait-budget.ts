// A wait that says nothing about the load: for a lock, or for a standby that is silent.
const stallMs = 500;
// Work that takes long itself keeps a second for its commit.
const leastMs = 1000;

/**
 * What the user of a connection has waited, so that its commit waits shorter: for a connection, for a
 * lock, and in the commit for a standby, in all no longer than one statement may. Times are milliseconds
 * of `performance.now()`.
 */
export class WaitBudget {
  #waitedMs = 0;
  #stalledMs = 0;
  #answeredAt = 0;

  /** A user begins, who has waited for the connection. */
  begin(waitedMs: number): void {
    this.#waitedMs = waitedMs > stallMs ? waitedMs : 0;
    this.#stalledMs = this.#waitedMs;
  }

  /** Of statements that are sent together each waits for those before it. */
  noteAnswer(sentAt: number, answeredAt: number): void {
    const waited = answeredAt - Math.max(sentAt, this.#answeredAt);
    this.#answeredAt = answeredAt;
    if (waited > stallMs) this.#stalledMs += waited;
  }

  /** The limit of the next answer, where it is shorter than `queryMs`, as a setting of `pg`. */
  limit(text: string, queryMs: number | undefined): { query_timeout: number } | undefined {
    const spentMs = text === 'commit' ? this.#stalledMs : this.#waitedMs;
    return queryMs && spentMs > 0
      ? { query_timeout: Math.max(queryMs - spentMs, leastMs) }
      : undefined;
  }
}
