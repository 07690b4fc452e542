import { describe, expect, it } from 'vitest';
import { findShortcut } from './shortcut-keys.ts';

const press = (key: string, code: string, shiftKey = false) =>
  findShortcut({ key, code, shiftKey });

describe('findShortcut', () => {
  it('reads Latin letters as typed, independent of the physical key', () => {
    expect(press('j', 'KeyJ')).toBe('j');
    expect(press('A', 'KeyA')).toBe('a');
    // AZERTY has A where QWERTY has Q.
    expect(press('a', 'KeyQ')).toBe('a');
    expect(press('q', 'KeyA')).toBeUndefined();
  });
  it('reads Arabic and Urdu keyboards by the physical key', () => {
    expect(press('ت', 'KeyJ')).toBe('j');
    expect(press('ن', 'KeyK')).toBe('k');
    expect(press('ء', 'KeyX')).toBe('x');
    expect(press('ج', 'BracketLeft')).toBe('[');
    expect(press('ظ', 'Slash')).toBe('/');
    expect(press('؟', 'Slash', true)).toBe('?');
    expect(press('ے', 'KeyY')).toBeUndefined();
  });
  it('reads signs and arrow keys, and ignores letters with Shift', () => {
    expect(press('?', 'Slash', true)).toBe('?');
    expect(press('/', 'Digit7', true)).toBeUndefined();
    expect(press('/', 'Slash')).toBe('/');
    expect(press('ArrowDown', 'ArrowDown')).toBe('ArrowDown');
    expect(press('J', 'KeyJ', true)).toBeUndefined();
    expect(press('Enter', 'Enter')).toBeUndefined();
  });
});
