import { describe, expect, it } from 'vitest';
import { isRealDay } from '@diwan/contract/wire/days';
import { storedDay, typedParts } from './date-control.tsx';

describe('a day typed in three inputs', () => {
  it.each([
    [{ day: '9', month: '6', year: '1999' }, '1999-06-09'],
    [{ day: '9', month: '6', year: '1420' }, '1999-09-19'],
    [{ day: '30', month: '2', year: '1420' }, '1999-06-14'],
    [{ day: '1', month: '1', year: '1501' }, '1501-01-01'],
    [{ day: '', month: '', year: '' }, ''],
    [{ day: '9', month: '', year: '14' }, '14--9'],
  ])('%o is stored as %s', (typed, stored) => expect(storedDay(typed)).toBe(stored));

  it('that does not exist in its Hijri month is invalid and left as typed', () => {
    const stored = storedDay({ day: '31', month: '1', year: '1448' });
    expect(isRealDay(stored)).toBe(false);
    expect(typedParts(stored)).toEqual({ day: '31', month: '1', year: '1448' });
    expect(storedDay(typedParts(stored))).toBe(stored);
  });
});
