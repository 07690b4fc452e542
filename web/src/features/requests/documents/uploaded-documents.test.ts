import { describe, expect, it } from 'vitest';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { missingDocuments } from './uploaded-documents.ts';

const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
const rule: AttachmentRule = {
  name: 'passport',
  title,
  required: true,
  mediaTypes: ['application/pdf', 'image/png'],
  maximumBytes: 1000,
  maximumCount: 1,
};

describe('missingDocuments', () => {
  const passport = {
    attachmentId: '00000000-0000-4000-8000-000000000000',
    name: 'passport',
    fileName: 'a.pdf',
    size: 1,
    mediaType: 'application/pdf',
  };
  it('lists required rules without a document', () => {
    expect(missingDocuments([rule, { ...rule, name: 'letter', required: false }], [])).toEqual([
      'passport',
    ]);
    expect(missingDocuments([rule], [passport])).toEqual([]);
  });
});
