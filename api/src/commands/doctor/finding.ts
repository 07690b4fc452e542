/** What one check of the doctor found. */
export interface Finding {
  check: CheckName;
  /** `skipped`: the settings do not name such a system, or another problem comes first. */
  state: 'ok' | 'warning' | 'problem' | 'skipped';
  /** What is so, without secrets. */
  detail: string;
  /** What the operator does about a warning or a problem. */
  advice?: string;
}

/** The checks, in the order of the report. */
export const checkNames = [
  'settings',
  'node',
  'disk',
  'database',
  'migrations',
  'roles',
  'clock',
  'restore',
  'redis',
  'store',
  'mail',
  'scanner',
  'seal',
  'certificate',
] as const;
export type CheckName = (typeof checkNames)[number];

/** Findings of one check. */
export const ok = (check: CheckName, detail: string): Finding => ({ check, state: 'ok', detail });
export const skipped = (check: CheckName, detail: string): Finding => ({
  check,
  state: 'skipped',
  detail,
});
export const warning = (check: CheckName, detail: string, advice: string): Finding => ({
  check,
  state: 'warning',
  detail,
  advice,
});
export const problem = (check: CheckName, detail: string, advice: string): Finding => ({
  check,
  state: 'problem',
  detail,
  advice,
});

/** The cause of a failure in a few words: its message, or its code where it has none. */
export function causeOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  return message || errors?.[0]?.message || code || 'no answer';
}

/** How many days are left until a moment, and what that means for a certificate. */
export function judgeDays(
  check: CheckName,
  what: string,
  { until, now, advice }: { until: Date; now: number; advice: string },
): Finding {
  const days = Math.floor((until.getTime() - now) / 86_400_000);
  const day = until.toISOString().slice(0, 10);
  if (days < 0) return problem(check, `${what} has ended on ${day}`, advice);
  if (days < 30) return warning(check, `${what} ends on ${day}, in ${days} days`, advice);
  return ok(check, `${what} ends on ${day}, in ${days} days`);
}
