// Asia/Dubai has been at +04:00 without summer time since 1920.
const offsetMs = 4 * 3600 * 1000;
const dayMs = 24 * 3600 * 1000;

/** The day of an instant in Asia/Dubai, such as 2026-01-31. */
export function dayInDubai(instant: Date): string {
  return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10);
}

/** When a day such as 2026-01-31 begins in Asia/Dubai. */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - offsetMs);
}

/** When the day after it begins. */
export function endOfDay(day: string): Date {
  return new Date(startOfDay(day).getTime() + dayMs);
}
