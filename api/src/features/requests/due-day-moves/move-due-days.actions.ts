import type { Calendars } from '#features/calendars/calendars.actions.ts';
import type { Workflows } from '#features/workflow/workflows.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDay } from '#platform/core/localize.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { maximumPreviewed, type CalendarPreview } from '@diwan/contract/calendars/calendar-calls';
import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { dayAfter, dayInDubai, startOfDay } from '@diwan/contract/wire/days';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { recountedDays } from '../actions/due-days.ts';
import * as store from './move-due-days.store.ts';

interface MoveContext {
  database: Database;
  workflow: Workflows;
  calendars: Calendars;
  now(): Date;
}

/** Requests that one transaction moves: it holds their locks for some milliseconds. */
const atOnce = 200;
const maximumExamples = 5;
const maximumCauses = 3;

const t = createTranslator('calendars');

const recount = (request: store.DatedRequest, workflow: Workflow, time: WorkingTime, at: Date) =>
  recountedDays(
    workflow,
    { ...request, enteredAt: new Date(request.entered_at) },
    { clock: request.clock, time, at },
  );

/** The special days by which two calendars differ within a time, of both of them. */
function findCauses(
  { before, after }: { before: WorkingTime; after: WorkingTime },
  from: string,
  until: string,
): LocalizedText[] {
  const causes = new Map<string, LocalizedText>();
  for (let day = from; day <= until && causes.size < maximumCauses; day = dayAfter(day, 1)) {
    const [old, current] = [before.dayOn(day), after.dayOn(day)];
    if ((old.work === 'off') === (current.work === 'off')) continue;
    const name = (current.special ?? old.special)?.name;
    if (name) causes.set(name['en-US'], name);
  }
  return [...causes.values()];
}

function writeNote(
  request: store.DatedRequest,
  promised: string,
  times: { before: WorkingTime; after: WorkingTime },
): LocalizedText {
  const was = request.promised_on ?? promised;
  const begun = request.clock ? dayInDubai(new Date(request.clock.begunAt)) : was;
  const causes = findCauses(times, begun, was > promised ? was : promised);
  return Object.fromEntries(
    languages.map((language) => {
      const days = {
        from: formatDay(startOfDay(was), language),
        to: formatDay(startOfDay(promised), language),
      };
      const cause = causes.map((name) => name[language]).join(t('note.and', language));
      return [
        language,
        cause === ''
          ? t('note.moved', language, days)
          : t('note.movedBy', language, { ...days, cause }),
      ];
    }),
  ) as LocalizedText;
}

// Moves some requests, and returns the last of them; undefined when there is none.
function moveSome(
  { database, workflow, calendars, now }: MoveContext,
  after: number,
): Promise<number | undefined> {
  return inTransaction(database, async (transaction) => {
    const requests = await store.lockOutdated(transaction, after, atOnce);
    if (requests.length === 0) return undefined;
    const at = now();
    const moved: store.MovedRequest[] = [];
    const notes: Parameters<typeof store.insertNotes>[1][number][] = [];
    for (const request of requests) {
      const { id, status_id: statusId } = request;
      const { id: calendarId, time } = calendars.current(request.agency_id);
      const document = await workflow.get(request.workflow_id, transaction);
      const days = recount(request, document, time, at);
      const due = days.due_on ?? request.due_on;
      moved.push({ id, calendar_id: calendarId, ...days, due_on: due });
      if (days.promised_on === null || days.promised_on === request.promised_on) continue;
      const before = await calendars.get(request.calendar_id, transaction);
      const message = writeNote(request, days.promised_on, { before, after: time });
      notes.push({ requestId: id, statusId, message, at });
    }
    await store.storeDays(transaction, moved);
    await store.insertNotes(transaction, notes);
    return requests.at(-1)?.id;
  });
}

/**
 * Counts the days of open requests again whose calendar has been replaced. The applicant and the staff
 * read a note where the promised day moves. It goes in small transactions, and continues where another
 * process or an end of this one has left it.
 */
export async function moveDueDays(context: MoveContext): Promise<void> {
  await context.calendars.refresh();
  for (let last: number | undefined = 0; last !== undefined;) last = await moveSome(context, last);
}

/**
 * What a change of calendars would move. `timeOf`: the counting by the changed calendar of an agency;
 * `agencyId` is null where it concerns all of them.
 */
export async function previewDueDays(
  { database, workflow, now }: MoveContext,
  agencyId: number | null,
  timeOf: (agencyId: number) => WorkingTime,
): Promise<CalendarPreview> {
  const preview: CalendarPreview = { later: 0, earlier: 0, examples: [], isAtLeast: false };
  let [after, seen] = [0, 0];
  for (;;) {
    const requests = await store.selectOpen(database, { agencyId, after, maximum: 1000 });
    for (const request of requests) {
      const document = await workflow.get(request.workflow_id);
      const { due_on: due } = recount(request, document, timeOf(request.agency_id), now());
      if (due === null || due === request.due_on) continue;
      preview[due > request.due_on ? 'later' : 'earlier'] += 1;
      if (preview.examples.length < maximumExamples)
        preview.examples.push({ requestNumber: request.number, from: request.due_on, to: due });
    }
    after = requests.at(-1)?.id ?? after;
    seen += requests.length;
    if (requests.length < 1000) return preview;
    if (seen >= maximumPreviewed) return { ...preview, isAtLeast: true };
  }
}
