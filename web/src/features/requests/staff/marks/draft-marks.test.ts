import { describe, expect, it } from 'vitest';
import { findMissingMessages, toMessages } from '#ui/forms/message-fields.tsx';
import {
  findMissingMarkTexts,
  ownWords,
  reasonsForMark,
  removeMark,
  setMark,
  toMarksBody,
} from './draft-marks.ts';

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
  const [marked] = setMark([], { field: 'answers.a' }, ownWords);
  const own = { ...marked!, messages: messages('أ', ' ', '') };
  const prepared = setMark([], { field: 'attachments.b', attachmentId: 'one' }, '3')[0]!;
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
  it('keep their place and their text when the reason changes, and are removed', () => {
    const marks = setMark([own, prepared], own, '5');
    expect(marks.map(({ field, reasonId }) => [field, reasonId])).toEqual([
      ['answers.a', '5'],
      ['attachments.b', '3'],
    ]);
    expect(setMark(marks, own, ownWords)[0]).toEqual(own);
    expect(removeMark(marks, own)).toEqual([prepared]);
    // Another file of the same document is another mark.
    expect(setMark([prepared], { ...prepared, attachmentId: 'two' }, '3')).toHaveLength(2);
  });
  it('are sent with a reason only, or with their own text', () => {
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

it('offers the reasons that fit what is marked, and the one that it has', () => {
  const reasons = [
    { id: 1, about: 'document' },
    { id: 2, about: 'answer' },
    { id: 3, about: 'request' },
    { id: 4 },
  ] as const;
  const idsFor = (field: string, reasonId?: string) =>
    reasonsForMark(reasons, { field }, reasonId).map(({ id }) => id);
  expect(idsFor('answers.plateNumber')).toEqual([2, 4]);
  expect(idsFor('attachments.photo')).toEqual([1, 4]);
  expect(idsFor('answers.plateNumber', '1')).toEqual([1, 2, 4]);
  expect(reasonsForMark(undefined, { field: 'answers.plateNumber' })).toEqual([]);
});
