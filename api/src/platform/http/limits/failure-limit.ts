import type { FastifyRequest } from 'fastify';
import { callerNetwork } from '#platform/core/caller-network.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { governmentRoles } from '@diwan/contract/wire/call';
import { FailureCounts, type CountedCall } from './failure-counts.ts';

// Staff share the network of their office, and nobody can register as staff.
const failuresOfStaff = 30;

/** What a limit of failures needs to know of a call. */
export interface FailureRules<Answer> {
  /** The answer says that a guess was wrong, such as an empty list of what was searched. */
  isFailure?(answer: Answer): boolean;
  /**
   * The call comes from a browser which is known for the account that its body names, and has
   * separate waits. `mayBeKnown` is asked before the body is read.
   */
  knownDevice?: Record<'mayBeKnown' | 'isKnown', (request: FastifyRequest) => boolean>;
}

// Nothing was guessed: the password was right, or nothing was checked yet.
const asksForMore = new Set(['SecondFactorRequired', 'BotCheckRequired']);

// A failure of the server says nothing about what the caller sent.
function isFault(error: unknown): boolean {
  if (error instanceof Refusal) return error.status < 500 && !asksForMore.has(error.refusal);
  if (error instanceof ValidationRefusal) return true;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status < 500;
}

/** The call of a request in the count of its network or person. */
interface BegunCall {
  counted: CountedCall | undefined;
  /** The refusal of a caller over the limit whose browser may be known. */
  refusal: unknown;
}

/** Limits the failed calls of a network a minute; of staff those of a person. */
export class FailureLimit<Answer> {
  readonly #maximum: number;
  readonly #rules: FailureRules<Answer>;
  readonly #counts = new FailureCounts();
  readonly #begun = new WeakMap<FastifyRequest, BegunCall>();

  constructor(maximum: number, rules: FailureRules<Answer>) {
    this.#maximum = maximum;
    this.#rules = rules;
  }

  /** Counts the call before its body is read. Throws TooManyRequests. */
  begin(request: FastifyRequest): void {
    const { caller } = request;
    const isOfGovernment =
      caller?.roles.some((role) => governmentRoles.some((own) => own === role)) ?? false;
    try {
      const counted =
        caller && isOfGovernment
          ? this.#counts.begin(`person ${caller.userId}`, Math.min(failuresOfStaff, this.#maximum))
          : this.#counts.begin(callerNetwork(request.ip), this.#maximum);
      this.#begun.set(request, { counted, refusal: undefined });
    } catch (refusal) {
      if (!this.#rules.knownDevice?.mayBeKnown(request)) throw refusal;
      this.#begun.set(request, { counted: undefined, refusal });
    }
  }

  /** Whether the call is let in only if its browser is known. */
  isDeferred(request: FastifyRequest): boolean {
    return this.#begun.get(request)?.refusal !== undefined;
  }

  /** Throws TooManyRequests for a call over the limit whose browser is not known for the account. */
  checkDevice(request: FastifyRequest): void {
    const begun = this.#begun.get(request);
    // guard: known browser over the limit of its network (sign-in-limits)
    if (begun?.refusal && !this.#rules.knownDevice?.isKnown(request)) throw begun.refusal;
  }

  /** Ends the count of a call that was answered. */
  answered(request: FastifyRequest, answer: Answer): void {
    const counted = this.#begun.get(request)?.counted;
    if (this.#rules.isFailure?.(answer)) counted?.fail();
    else counted?.release();
  }

  /** Ends the count of a call that was refused. */
  refused(request: FastifyRequest, error: unknown): void {
    const counted = this.#begun.get(request)?.counted;
    if (isFault(error) && !this.#rules.knownDevice?.isKnown(request)) counted?.fail();
    else counted?.release();
  }
}
