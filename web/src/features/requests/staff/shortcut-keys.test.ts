import { describe, expect, it } from 'vitest';
import { shortcutOf } from './shortcut-keys.ts';

const press = (key: string, code: string, shiftKey = false) => shortcutOf({ key, code, shiftKey });

describe('shortcutOf', () => {
  it('reads Latin letters as they are printed, whatever the place of the key', () => {
    expect(press('j', 'KeyJ')).toBe('j');
    expect(press('A', 'KeyA')).toBe('a');
    // AZERTY has its a where QWERTY has q.
    expect(press('a', 'KeyQ')).toBe('a');
    expect(press('q', 'KeyA')).toBeUndefined();
  });
  it('reads Arabic and Urdu keyboards by the place of the key', () => {
    expect(press('ت', 'KeyJ')).toBe('j');
    expect(press('ن', 'KeyK')).toBe('k');
    expect(press('ء', 'KeyX')).toBe('x');
    expect(press('ج', 'BracketLeft')).toBe('[');
    expect(press('ظ', 'Slash')).toBe('/');
    expect(press('؟', 'Slash', true)).toBe('?');
    expect(press('ے', 'KeyY')).toBeUndefined();
  });
  it('knows the signs and the arrows, and no letter with Shift', () => {
    expect(press('?', 'Slash', true)).toBe('?');
    expect(press('/', 'Digit7', true)).toBeUndefined();
    expect(press('/', 'Slash')).toBe('/');
    expect(press('ArrowDown', 'ArrowDown')).toBe('ArrowDown');
    expect(press('J', 'KeyJ', true)).toBeUndefined();
    expect(press('Enter', 'Enter')).toBeUndefined();
  });
});
