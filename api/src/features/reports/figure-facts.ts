import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import { dayInDubai } from '@diwan/contract/wire/days';

/** What of a request counts in figures. Times are in seconds since 1970. */
export interface FiguredRequest {
  id: number;
  service_id: number;
  agency_id: number;
  partner_id: number | null;
  came_to_provider: boolean;
  company_id: number | null;
  working_days: number;
  calendar_id: number;
  created_at: number;
  /** The lines of the history that end the request, oldest first. */
  ends: { id: number; at: number; tone: 'done' | 'refused' | 'withdrawn' }[];
  /** When it was paid, by its history, oldest first. */
  paid_at: number[];
  /** When its clock stood still: its holds that have ended, oldest first. */
  holds: { begun_at: number; ended_at: number }[];
  /** Its payments that count as paid, each with its first report. */
  payments: { id: number; amount: number; at: number }[];
}

/**
 * Something that happened to a request, in the figures of one scope: 0 is everybody's, a positive one
 * that of a service provider, a negative one that of a company. `amount` is a number of requests, or
 * fils where `kind` is `paid`. `days_late` are the working days after the promised day; 0 or less is in
 * time.
 */
export interface Fact {
  request_id: number;
  /** The line of the history or the payment; null for `created`. */
  source_id: number | null;
  scope: number;
  /** In Asia/Dubai. */
  day: string;
  kind: 'created' | 'done' | 'refused' | 'paid';
  service_id: number;
  /** Of the request, not of its service. */
  agency_id: number;
  days_late: number | null;
  /** Working hours from the payment, or from the submission if nothing was paid, to the end. */
  seconds: number | null;
  amount: number;
}

const toDate = (seconds: number) => new Date(seconds * 1000);

const scopesOf = (request: FiguredRequest): number[] => [
  0,
  ...(request.came_to_provider && request.partner_id !== null ? [request.partner_id] : []),
  ...(request.company_id === null ? [] : [-request.company_id]),
];

/** Everything that a request is in the figures, by its calendar. It depends on nothing else. */
export function factsOfRequest(request: FiguredRequest, time: WorkingTime): Fact[] {
  const common = {
    request_id: request.id,
    service_id: request.service_id,
    agency_id: request.agency_id,
    days_late: null,
    seconds: null,
    amount: 1,
  };
  const dayOf = (seconds: number) => dayInDubai(toDate(seconds));
  const facts: Omit<Fact, 'scope'>[] = [
    { ...common, source_id: null, kind: 'created', day: dayOf(request.created_at) },
    ...request.ends.flatMap(({ id, at, tone }) => {
      // Nobody has decided.
      if (tone === 'withdrawn') return [];
      const end = { ...common, source_id: id, kind: tone, day: dayOf(at) };
      if (tone === 'refused') return end;
      // The clock starts with the first payment before this end.
      const startedAt = request.paid_at.find((paidAt) => paidAt <= at) ?? request.created_at;
      const holds = request.holds.filter(
        (hold) => hold.begun_at >= startedAt && hold.ended_at <= at,
      );
      const heldSeconds = holds.reduce(
        (sum, hold) => sum + time.secondsBetween(toDate(hold.begun_at), toDate(hold.ended_at)),
        0,
      );
      const heldDays = time.countDaysOnHold(
        holds.map((hold) => ({
          begunAt: toDate(hold.begun_at),
          endedAt: toDate(hold.ended_at),
        })),
        toDate(at),
      );
      const days = time.countDays(toDate(startedAt), toDate(at));
      return {
        ...end,
        seconds: Math.max(
          0,
          Math.round(time.secondsBetween(toDate(startedAt), toDate(at)) - heldSeconds),
        ),
        days_late: days - heldDays - request.working_days,
      };
    }),
    ...request.payments.map(({ id, amount, at }) => ({
      ...common,
      source_id: id,
      kind: 'paid' as const,
      day: dayOf(at),
      amount,
    })),
  ];
  return scopesOf(request).flatMap((scope) => facts.map((fact) => ({ ...fact, scope })));
}

const keyOf = (fact: Fact): string =>
  [
    fact.request_id,
    fact.source_id,
    fact.scope,
    fact.day,
    fact.kind,
    fact.service_id,
    fact.agency_id,
    fact.days_late,
    fact.seconds,
    fact.amount,
  ].join();

/** The facts of one list that the other one lacks; each fact counts as often as it occurs. */
export function factsWithout(facts: readonly Fact[], others: readonly Fact[]): Fact[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1);
  return facts.filter((fact) => {
    const count = left.get(keyOf(fact)) ?? 0;
    left.set(keyOf(fact), count - 1);
    return count <= 0;
  });
}
