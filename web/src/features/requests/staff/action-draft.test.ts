import { describe, expect, it } from 'vitest';
import {
  marksToSend,
  messagesOf,
  missingMarkWords,
  missingMessages,
  newMark,
} from './action-draft.ts';

const messages = (messageAr: string, messageEn: string, messageUr: string) => ({
  messageAr,
  messageEn,
  messageUr,
});

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

describe('marks', () => {
  const own = { ...newMark({ field: 'answers.a' }), messages: messages('أ', ' ', '') };
  const prepared = {
    ...newMark({ field: 'attachments.b', attachmentId: 'one' }),
    reasonId: '3',
    hasOwnWords: false,
  };
  const changed = {
    ...prepared,
    attachmentId: 'two',
    hasOwnWords: true,
    messages: messagesOf({ 'ar-EG': 'أ', 'en-US': 'b', 'ur-PK': 'پ' }),
  };

  it('want words in every language unless a reason brings them', () => {
    expect([...missingMarkWords([own, prepared, changed])]).toEqual([
      ['answers.a', ['messageEn', 'messageUr']],
    ]);
  });
  it('are sent with a reason alone, or with their own words', () => {
    expect(marksToSend([prepared, changed])).toEqual([
      { field: 'attachments.b', attachmentId: 'one', reasonId: 3 },
      {
        field: 'attachments.b',
        attachmentId: 'two',
        reasonId: 3,
        messageAr: 'أ',
        messageEn: 'b',
        messageUr: 'پ',
      },
    ]);
  });
});
