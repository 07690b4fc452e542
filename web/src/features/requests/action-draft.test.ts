import { describe, expect, it } from 'vitest';
import { missingMessages } from './action-draft.ts';

const messages = (messageAr: string, messageEn: string, messageUr: string) => ({ messageAr, messageEn, messageUr });

describe('missingMessages', () => {
  it('wants all three where a message is needed', () => {
    expect(missingMessages(messages('', ' ', 'x'), true)).toEqual(['messageAr', 'messageEn']);
    expect(missingMessages(messages('a', 'b', 'c'), true)).toEqual([]);
  });
  it('wants all or none where it is optional', () => {
    expect(missingMessages(messages('', '', ' '), false)).toEqual([]);
    expect(missingMessages(messages('a', '', ''), false)).toEqual(['messageEn', 'messageUr']);
  });
});
