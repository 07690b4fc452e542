import { describe, expect, it } from 'vitest';
import { toMessages, toMarksBody, findMissingMarkTexts, createMark } from './action-draft.ts';
import { findMissingMessages } from '../../../../ui/forms/message-fields.tsx';

const messages = (messageAr: string, messageEn: string, messageUr: string) => ({
  messageAr,
  messageEn,
  messageUr,
});

describe('findMissingMessages', () => {
  it('needs all three languages when a message is required', () => {
    expect(findMissingMessages(messages('', ' ', 'x'), true)).toEqual(['messageAr', 'messageEn']);
    expect(findMissingMessages(messages('a', 'b', 'c'), true)).toEqual([]);
  });
  it('needs all three languages or none when a message is optional', () => {
    expect(findMissingMessages(messages('', '', ' '), false)).toEqual([]);
    expect(findMissingMessages(messages('a', '', ''), false)).toEqual(['messageEn', 'messageUr']);
  });
});

describe('marks', () => {
  const own = { ...createMark({ field: 'answers.a' }), messages: messages('أ', ' ', '') };
  const prepared = {
    ...createMark({ field: 'attachments.b', attachmentId: 'one' }),
    reasonId: '3',
    hasOwnWords: false,
  };
  const changed = {
    ...prepared,
    attachmentId: 'two',
    hasOwnWords: true,
    messages: toMessages({ 'ar-EG': 'أ', 'en-US': 'b', 'ur-PK': 'پ' }),
  };

  it('need a text in every language unless a reason provides it', () => {
    expect([...findMissingMarkTexts([own, prepared, changed])]).toEqual([
      ['answers.a', ['messageEn', 'messageUr']],
    ]);
  });
  it('are sent with a reason only, or with a text of their own', () => {
    expect(toMarksBody([prepared, changed])).toEqual([
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
