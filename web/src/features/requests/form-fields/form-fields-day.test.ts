import { describe, expect, it } from 'vitest';
import { isRealDay } from '@diwan/contract/wire/days';
import { keptDay, typedParts } from './form-fields-day.ts';

describe('a day typed in three boxes', () => {
  it.each([
    [{ day: '9', month: '6', year: '1999' }, '1999-06-09'],
    [{ day: '9', month: '6', year: '1420' }, '1999-09-19'],
    [{ day: '30', month: '2', year: '1420' }, '1999-06-14'],
    [{ day: '1', month: '1', year: '1501' }, '1501-01-01'],
    [{ day: '', month: '', year: '' }, ''],
    [{ day: '9', month: '', year: '14' }, '14--9'],
  ])('%o is kept as %s', (typed, kept) => expect(keptDay(typed)).toBe(kept));

  it('that no Hijri month has is no day, and stays as it was typed', () => {
    const kept = keptDay({ day: '31', month: '1', year: '1448' });
    expect(isRealDay(kept)).toBe(false);
    expect(typedParts(kept)).toEqual({ day: '31', month: '1', year: '1448' });
    expect(keptDay(typedParts(kept))).toBe(kept);
  });
});
