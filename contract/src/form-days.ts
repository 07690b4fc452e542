/** Today in Asia/Dubai as YYYY-MM-DD. */
export function todayInDubai(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Dubai' }).format(new Date());
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The day that a date limit such as `today-30` stands for. `today` is YYYY-MM-DD in Asia/Dubai. */
export function dayOfLimit(limit: string, today: string): string {
  return limit.startsWith('today') ? dayAfter(today, Number(limit.slice('today'.length) || 0)) : limit;
}

/** Whether a text is a day that there is, as YYYY-MM-DD, from the year 1000 on. */
export function isRealDay(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day >= '1000';
}
