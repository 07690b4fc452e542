// Files of calendars, RFC 5545: all-day events, which other programs write and subscribe to.

import { dayAfter, isRealDay } from '../wire/days.ts';
import { languages, type Language, type LocalizedText } from '../wire/languages.ts';
import {
  maximumDayName,
  maximumDaysAtOnce,
  maximumSpecialDays,
  type SpecialDay,
} from './calendars.ts';

/** The largest file that is read, in characters. */
export const maximumFileLength = 500_000;

/** Why a file cannot be read; each is a text under `file` in `calendars.json`. */
export type FileProblemCode =
  | 'tooLarge'
  | 'notACalendar'
  | 'unreadableLine'
  | 'notClosed'
  | 'tooManyEvents'
  | 'noEvents'
  | 'repeats'
  | 'timed'
  | 'wrongDate'
  | 'noBeginning'
  | 'lasts'
  | 'endsBeforeBeginning'
  | 'tooManyDays'
  | 'noName'
  | 'nameTooLong'
  | 'overlaps';

/** A problem of a line of a file, counted from 1, with what the line has. */
export interface FileProblem {
  line: number;
  code: FileProblemCode;
  value: string;
}

interface ContentLine {
  line: number;
  name: string;
  parameters: ReadonlyMap<string, string>;
  value: string;
}

// Our own property: the name of a day in each language.
const nameProperty = 'X-DIWAN-NAME';

/** The lines of a file with their numbers; a line that begins with a blank continues the one before. */
function unfold(text: string): { line: number; text: string }[] {
  const lines: { line: number; text: string }[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const last = lines.at(-1);
    if (/^[ \t]/.test(line) && last) last.text += line.slice(1);
    else if (line !== '') lines.push({ line: index + 1, text: line });
  }
  return lines;
}

const quotable = `(?:"[^"]*"|[^";:,]*)`;
const contentLine = new RegExp(
  `^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=${quotable}(?:,${quotable})*)*):(.*)$`,
  's',
);
const parameter = new RegExp(`;([A-Za-z0-9-]+)=(${quotable}(?:,${quotable})*)`, 'g');

function readLine({ line, text }: { line: number; text: string }): ContentLine | undefined {
  const [, name, parameters, value] = contentLine.exec(text) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return {
    line,
    name: name.toUpperCase(),
    parameters: new Map(
      [...(parameters ?? '').matchAll(parameter)].map(([, key = '', given = '']) => [
        key.toUpperCase(),
        given.replaceAll('"', ''),
      ]),
    ),
    value,
  };
}

const unescape = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_, mark: string) => (/n/i.test(mark) ? ' ' : mark)).trim();

interface Event {
  line: number;
  properties: ContentLine[];
}

/** The events of a calendar; what is nested in them, such as an alarm, is left out. */
function collectEvents(lines: readonly ContentLine[], problems: FileProblem[]): Event[] {
  const events: Event[] = [];
  const open: ContentLine[] = [];
  for (const each of lines) {
    const { line, name, value } = each;
    if (name === 'BEGIN') {
      open.push(each);
      if (value.toUpperCase() === 'VEVENT') events.push({ line, properties: [] });
    } else if (name === 'END') {
      if (open.pop()?.value.toUpperCase() !== value.toUpperCase()) {
        problems.push({ line, code: 'notClosed', value });
        return events;
      }
    } else if (open.at(-1)?.value.toUpperCase() === 'VEVENT') events.at(-1)?.properties.push(each);
  }
  for (const { line, value } of open) problems.push({ line, code: 'notClosed', value });
  return events;
}

const isProblem = (found: string | FileProblem): found is FileProblem => typeof found === 'object';

function readDay({ line, parameters, value }: ContentLine): string | FileProblem {
  if (parameters.has('TZID') || /T/i.test(value)) return { line, code: 'timed', value };
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value) ?? [];
  const read = `${year}-${month}-${day}`;
  return isRealDay(read) ? read : { line, code: 'wrongDate', value };
}

function readNames({ line, properties }: Event): LocalizedText | FileProblem {
  const summary = properties.find(({ name }) => name === 'SUMMARY');
  const names = languages.map((language) => {
    const own = properties.find(
      ({ name, parameters }) => name === nameProperty && parameters.get('LANGUAGE') === language,
    );
    const from = own ?? summary;
    return { language, line: from?.line ?? line, text: unescape(from?.value ?? '') };
  });
  for (const { line: at, text } of names) {
    if (text === '') return { line: at, code: 'noName', value: '' };
    if (text.length > maximumDayName) return { line: at, code: 'nameTooLong', value: text };
  }
  return Object.fromEntries(names.map(({ language, text }) => [language, text])) as LocalizedText;
}

function readDays({ line, properties }: Event): { from: string; until: string } | FileProblem {
  const find = (wanted: string) => properties.find(({ name }) => name === wanted);
  const repeating = properties.find(({ name }) =>
    ['RRULE', 'RDATE', 'EXDATE', 'EXRULE'].includes(name),
  );
  if (repeating) return { line: repeating.line, code: 'repeats', value: repeating.value };
  const [begins, ends, lasts] = [find('DTSTART'), find('DTEND'), find('DURATION')];
  if (!begins) return { line, code: 'noBeginning', value: '' };
  if (lasts) return { line: lasts.line, code: 'lasts', value: lasts.value };
  const from = readDay(begins);
  if (isProblem(from)) return from;
  if (!ends) return { from, until: from };
  const end = readDay(ends);
  if (isProblem(end)) return end;
  // The end is the day after the last one. Some programs write an event of one day with its own day.
  const until = end === from ? from : dayAfter(end, -1);
  if (until < from) return { line: ends.line, code: 'endsBeforeBeginning', value: ends.value };
  return until > dayAfter(from, maximumDaysAtOnce - 1)
    ? { line: ends.line, code: 'tooManyDays', value: ends.value }
    : { from, until };
}

function readEvent(event: Event): SpecialDay | FileProblem {
  const days = readDays(event);
  if ('code' in days) return days;
  const name = readNames(event);
  if ('code' in name) return name as FileProblem;
  const status = event.properties.find((each) => each.name === 'STATUS')?.value.toUpperCase();
  return { ...days, kind: 'holiday', name, isExpected: status === 'TENTATIVE' };
}

const isCancelled = ({ properties }: Event) =>
  properties.some(({ name, value }) => name === 'STATUS' && value.toUpperCase() === 'CANCELLED');

/**
 * Reads the public holidays of a file: its all-day events. A file with a problem gives no day; every
 * problem names its line.
 */
export function readICalendar(text: string): { days: SpecialDay[]; problems: FileProblem[] } {
  if (text.length > maximumFileLength)
    return { days: [], problems: [{ line: 1, code: 'tooLarge', value: '' }] };
  const lines = unfold(text.replace(/^\uFEFF/, ''));
  if (lines[0]?.text.trim().toUpperCase() !== 'BEGIN:VCALENDAR')
    return { days: [], problems: [{ line: 1, code: 'notACalendar', value: '' }] };
  const problems: FileProblem[] = [];
  const read = lines.flatMap((each) => {
    const found = readLine(each);
    if (!found) problems.push({ line: each.line, code: 'unreadableLine', value: each.text });
    return found ?? [];
  });
  const events = collectEvents(read, problems).filter((event) => !isCancelled(event));
  const tooMany = events[maximumSpecialDays];
  if (tooMany) problems.push({ line: tooMany.line, code: 'tooManyEvents', value: '' });
  else if (events.length === 0) problems.push({ line: 1, code: 'noEvents', value: '' });
  const days: { day: SpecialDay; line: number }[] = [];
  for (const event of events.slice(0, maximumSpecialDays)) {
    const day = readEvent(event);
    if ('code' in day) {
      problems.push(day);
      continue;
    }
    const other = days.find((each) => each.day.from <= day.until && day.from <= each.day.until);
    if (other) problems.push({ line: event.line, code: 'overlaps', value: String(other.line) });
    days.push({ day, line: event.line });
  }
  return problems.length > 0
    ? { days: [], problems: problems.toSorted((one, next) => one.line - next.line) }
    : { days: days.map(({ day }) => day), problems };
}

const escape = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\s+/g, ' ');

// The bytes of a character in UTF-8.
function countBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return 1 + [0x80, 0x800, 0x10000].filter((first) => code >= first).length;
}

// Lines have at most 75 bytes; a character is not divided.
function fold(line: string): string {
  let [folded, length] = ['', 0];
  for (const character of line) {
    const bytes = countBytes(character);
    if (length + bytes > 75) [folded, length] = [`${folded}\r\n `, 1];
    folded += character;
    length += bytes;
  }
  return folded;
}

const dateOf = (day: string) => day.replaceAll('-', '');

/** What a file of a calendar says about itself; `owner` tells its events from those of others. */
interface FileHead {
  name: string;
  owner: string;
  language: Language;
  /** When the calendar has changed. */
  changedAt: Date;
}

/** Writes the days on which nobody works as a file. */
export function writeICalendar(
  days: readonly SpecialDay[],
  { name: title, owner, language, changedAt }: FileHead,
): string {
  const stamp = changedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const events = days
    .filter(({ kind }) => kind !== 'working')
    .flatMap(({ from, until, name, isExpected }) => [
      'BEGIN:VEVENT',
      `UID:${dateOf(from)}-${owner}@diwan`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${dateOf(from)}`,
      `DTEND;VALUE=DATE:${dateOf(dayAfter(until, 1))}`,
      `SUMMARY:${escape(name[language])}`,
      ...languages.map((each) => `${nameProperty};LANGUAGE=${each}:${escape(name[each])}`),
      `STATUS:${isExpected ? 'TENTATIVE' : 'CONFIRMED'}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Diwan//Working days//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escape(title)}`,
    ...events,
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
