import { beforeAll, describe, expect, it } from 'vitest';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  getCalendars,
  getHolidayFile,
  getServiceDays,
  previewCalendar,
  saveCalendar,
  type DeclaredCalendar,
} from '@diwan/contract/calendars/calendar-calls';
import type { AgencyCalendar, SpecialDay } from '@diwan/contract/calendars/calendars';
import { readICalendar } from '@diwan/contract/calendars/i-calendar';
import type { Service } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);
let service: Service;

beforeAll(async () => {
  service = await stage.findService(freeService);
});

const inLanguages = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
const dayOff = (from: string, until = from, text = 'Closed'): SpecialDay => ({
  from,
  until,
  kind: 'closed',
  name: inLanguages(text),
  isExpected: false,
});

async function declared(agencyId?: number): Promise<DeclaredCalendar> {
  const { body } = await app.callAs('admin', getCalendars);
  return body.calendars.find((each) => each.agencyId === agencyId)!;
}
async function changed(
  agencyId: number | undefined,
  change: (calendar: AgencyCalendar) => AgencyCalendar,
) {
  const { version, calendar } = await declared(agencyId);
  return { agencyId, version, calendar: change(calendar) };
}

describe('a change', () => {
  it('is for editors; that of the portal for administrators', async () => {
    const own = await changed(service.governmentAgency.id, (calendar) => calendar);
    const portal = await changed(undefined, (calendar) => calendar);
    for (const call of [previewCalendar, saveCalendar]) {
      expect((await app.callAs('employee', call, { body: portal })).status).toBe(403);
      expect((await app.callAs('content', call, { body: portal })).refused.error).toBe(
        'YouAreUnauthorized',
      );
    }
    expect((await app.callAs('content', saveCalendar, { body: own })).status).toBe(200);
    expect((await app.callAs('content', getCalendars)).status).toBe(200);
  });

  it('of a calendar that somebody else has changed is refused', async () => {
    const body = await changed(service.governmentAgency.id, (calendar) => calendar);
    const both = await Promise.all([1, 2].map(() => app.callAs('admin', saveCalendar, { body })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const { refused } = await app.callAs('admin', previewCalendar, { body });
    expect(refused.error).toBe('RecordHasChanged');
  });

  it('of an agency that does not exist is refused', async () => {
    const body = { agencyId: 9999, version: 0, calendar: (await declared()).calendar };
    expect((await app.callAs('admin', saveCalendar, { body })).status).toBe(404);
  });

  it('is recorded with what was before', async () => {
    const agencyId = service.governmentAgency.id;
    const days = [dayOff('2030-05-01', '2030-05-02')];
    const body = await changed(agencyId, (calendar) => ({ ...calendar, days }));
    await app.callAs('admin', saveCalendar, { body });
    const { body: changes } = await app.callAs('admin', getChanges, {
      query: { Entity: 'calendar', EntityId: String(agencyId) },
    });
    expect(changes.items[0]).toMatchObject({
      action: 'changed',
      name: service.governmentAgency.name,
      fields: [{ field: 'days', before: '[]', after: expect.stringContaining('2030-05-02') }],
    });
  });

  it('that cannot be used names each field', async () => {
    const refusedBy = async (
      agencyId: number | undefined,
      change: (calendar: AgencyCalendar) => AgencyCalendar,
    ) => {
      const body = await changed(agencyId, change);
      const { status, refused } = await app.callAs('admin', saveCalendar, { body });
      expect(status).toBe(400);
      return Object.keys(refused.errors ?? {});
    };
    const agencyId = service.governmentAgency.id;
    const backwards = {
      full: { from: '15:00', until: '07:00' },
      half: { from: '07:00', until: '12:00' },
    };
    expect(
      await refusedBy(agencyId, (calendar) => ({
        ...calendar,
        week: ['off', 'off', 'off', 'off', 'off', 'off', 'off'],
        hours: backwards,
        days: [
          dayOff('2030-01-05', '2030-01-10'),
          dayOff('2030-01-01', '2030-01-05'),
          dayOff('2030-02-02', '2030-02-01'),
          dayOff('2030-03-01', '2030-12-01'),
          dayOff('1999-12-31'),
        ],
      })),
    ).toEqual([
      'calendar.week',
      'calendar.hours.full',
      'calendar.days.2.until',
      'calendar.days.3.until',
      'calendar.days.4.from',
      'calendar.days.0.from',
    ]);
    expect(
      await refusedBy(undefined, (calendar) => ({ ...calendar, week: null, hours: null })),
    ).toEqual(['calendar.week', 'calendar.hours']);
  });
});

describe('what people read', () => {
  it('is the promised day, and that the agency is closed tomorrow', async () => {
    const tomorrow = dayAfter(todayInDubai(), 1);
    const agencyId = service.governmentAgency.id;
    const read = async () =>
      (await app.call(getServiceDays, { query: { serviceId: service.id }, language: 'en-US' }))
        .body;
    const isTomorrow = ({ name }: { name: string }) => name === 'Staff training';
    expect((await read()).closed.some(isTomorrow)).toBe(false);
    const body = await changed(agencyId, (calendar) => ({
      ...calendar,
      days: [dayOff(tomorrow, tomorrow, 'Staff training')],
    }));
    await app.callAs('admin', saveCalendar, { body });
    const { promisedBy, closed, office } = await read();
    // On a working day the agency is open, or opens after tomorrow.
    expect(office.changesAt?.slice(0, 10)).not.toBe(tomorrow);
    expect(closed.find(isTomorrow)).toMatchObject({ from: tomorrow, until: tomorrow });
    const { requestId } = await stage.send('individual', freeService);
    expect((await stage.read('individual', requestId)).body.promisedBy).toBe(promisedBy);
  });

  it('is a file that other programs subscribe to, which reads back as it was', async () => {
    const file = async (AgencyId?: number) => {
      const { body, headers } = await app.call(getHolidayFile, {
        query: AgencyId === undefined ? {} : { AgencyId },
        language: 'ar-EG',
      });
      expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
      return String(body);
    };
    const text = await file();
    const { calendar } = await declared();
    const since = dayAfter(todayInDubai(), -400);
    expect(readICalendar(text)).toEqual({
      problems: [],
      days: calendar.days.filter(({ until }) => until >= since),
    });
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(await file(service.governmentAgency.id)).toContain('SUMMARY:Staff training');
    expect((await app.call(getHolidayFile, { query: { AgencyId: 9999 } })).status).toBe(404);
  });
});
