import { describe, expect, it } from 'vitest';
import type { AttachmentRule } from '@diwan/contract/forms';
import { findFileRefusal, mediaTypeOf, missingDocuments } from './document-uploads-check.ts';

const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
const rule: AttachmentRule = { name: 'passport', title, required: true, mediaTypes: ['application/pdf', 'image/png'], maximumBytes: 1000, maximumCount: 1 };
const file = (name: string, type: string, size: number) => ({ name, type, size });

describe('a file before it is sent', () => {
  it.each([
    ['a good one', file('a.pdf', 'application/pdf', 1000), undefined],
    ['one whose type the phone does not name', file('a.PNG', '', 5), undefined],
    ['another kind', file('a.exe', 'application/x-msdownload', 5), 'wrongType'],
    ['a kind that this document may not be', file('a.jpg', 'image/jpeg', 5), 'wrongType'],
    ['one byte too many', file('a.pdf', 'application/pdf', 1001), 'tooLarge'],
    ['nothing in it', file('a.pdf', 'application/pdf', 0), 'empty'],
  ])('%s', (_, given, refusal) => expect(findFileRefusal(given, rule)).toBe(refusal));
  it('without type and ending is just bytes', () => expect(mediaTypeOf(file('scan', '', 5))).toBe('application/octet-stream'));
});

describe('what is missing', () => {
  const passport = { attachmentId: '00000000-0000-4000-8000-000000000000', name: 'passport', fileName: 'a.pdf', size: 1, mediaType: 'application/pdf' };
  it('are required documents without a file', () => {
    expect(missingDocuments([rule, { ...rule, name: 'letter', required: false }], [])).toEqual(['passport']);
    expect(missingDocuments([rule], [passport])).toEqual([]);
  });
});
