import { describe, expect, it } from 'vitest';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { missingDocuments } from './document-uploads-check.ts';

const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
const rule: AttachmentRule = {
  name: 'passport',
  title,
  required: true,
  mediaTypes: ['application/pdf', 'image/png'],
  maximumBytes: 1000,
  maximumCount: 1,
};

describe('what is missing', () => {
  const passport = {
    attachmentId: '00000000-0000-4000-8000-000000000000',
    name: 'passport',
    fileName: 'a.pdf',
    size: 1,
    mediaType: 'application/pdf',
  };
  it('are required documents without a file', () => {
    expect(missingDocuments([rule, { ...rule, name: 'letter', required: false }], [])).toEqual([
      'passport',
    ]);
    expect(missingDocuments([rule], [passport])).toEqual([]);
  });
});
