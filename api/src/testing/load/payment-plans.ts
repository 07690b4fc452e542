import { faults, type Fault } from '#sandbox/payments/payment-journal.ts';
import type { PaymentMethod } from '@diwan/contract/requests/payments';

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One attempt to pay: the tabs in which the page is open, and what is pressed in each of them. */
interface AttemptPlan {
  /** The method that is chosen in each tab, at the same time; undefined where none is. */
  methods: readonly (PaymentMethod | undefined)[];
  decision: 'paid' | 'declined' | 'cancelled' | 'leave';
  fault: Fault;
  /** What is answered to the bank. */
  bank: 'verified' | 'declined' | 'leave';
  /** How often the browser returns to the portal, at the same time. */
  returns: number;
}

/** What one person does with one request. */
export interface PaymentPlan {
  user: number;
  attempts: AttemptPlan[];
  /** Messages that nobody may believe. */
  forges: boolean;
  /** How often the messages of the provider are repeated, at the same time. */
  repeats: number;
  /** Refunds that two members of staff ask for at the same time, in hundredths of what was paid. */
  refunds: number[];
}

/** Plans that follow from the random numbers. Every fault is as frequent as no fault. */
export function makePlan(random: () => number, users: number): PaymentPlan {
  const below = (end: number) => Math.floor(random() * end);
  const pick = <Item>(...items: Item[]) => items[below(items.length)] as Item;
  return {
    user: below(users),
    attempts: Array.from({ length: pick(1, 1, 2, 3) }, () => ({
      methods: Array.from({ length: pick(1, 1, 2, 3) }, () =>
        pick(undefined, 'card' as const, 'bankAccount' as const),
      ),
      decision: pick('paid', 'paid', 'paid', 'declined', 'cancelled', 'leave'),
      fault: faults[below(faults.length)] ?? 'none',
      bank: pick('verified', 'verified', 'declined', 'leave'),
      returns: pick(0, 1, 1, 3),
    })),
    forges: random() < 0.2,
    repeats: pick(0, 0, 0, 5),
    refunds: pick([], [], [], [], [100], [50, 50], [30, 80]),
  };
}
