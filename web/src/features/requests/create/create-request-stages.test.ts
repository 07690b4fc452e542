import { describe, expect, it } from 'vitest';
import type { FormField } from '@diwan/contract/forms/forms';
import type { Service } from '@diwan/contract/catalogue/services';
import { isStageDone, reachableStage, stagesOf } from './create-request-stages.ts';
import type { Draft } from '../drafts/draft.ts';

const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
const field = (name: string): FormField => ({ name, kind: 'text', title, required: true });
const service: Pick<Service, 'form' | 'attachments'> = {
  form: {
    steps: [
      { name: 'applicant', title, fields: [field('applicantName')] },
      { name: 'review', title, fields: [field('reason')] },
    ],
  },
  attachments: [
    {
      name: 'passport',
      title,
      required: true,
      mediaTypes: ['application/pdf'],
      maximumBytes: 1000,
      maximumCount: 1,
    },
  ],
};
const passport = {
  attachmentId: '00000000-0000-4000-8000-000000000000',
  name: 'passport',
  fileName: 'a.pdf',
  size: 1,
  mediaType: 'application/pdf',
};
const draftOf = (part: Partial<Draft>): Draft => ({
  answers: {},
  explanations: {},
  documents: [],
  passed: [],
  ...part,
});
const today = '2026-11-21';

describe('the stages of a service', () => {
  it('are its steps, its documents and the review, with unique names', () => {
    expect(stagesOf(service).map((stage) => stage.name)).toEqual([
      'applicant',
      'review-step',
      'documents',
      'review',
    ]);
    expect(stagesOf({ ...service, attachments: [] }).map((stage) => stage.kind)).toEqual([
      'step',
      'step',
      'review',
    ]);
  });
  it('start with the first one for any requested stage', () => {
    expect(reachableStage(service, 'review', draftOf({}), today).name).toBe('applicant');
    expect(reachableStage(service, 'nonsense', draftOf({}), today).name).toBe('applicant');
  });
  it('are not done by a prefilled answer on an unvisited stage', () => {
    expect(
      reachableStage(service, 'review', draftOf({ answers: { applicantName: 'Sara' } }), today)
        .name,
    ).toBe('applicant');
  });
  it('can be reached backwards, and forwards up to the first invalid one', () => {
    const draft = draftOf({
      answers: { applicantName: 'Sara', reason: 'Because' },
      passed: ['applicant', 'review-step', 'documents'],
    });
    expect(reachableStage(service, 'applicant', draft, today).name).toBe('applicant');
    expect(reachableStage(service, 'review', draft, today).name).toBe('documents');
    expect(reachableStage(service, 'review', { ...draft, documents: [passport] }, today).kind).toBe(
      'review',
    );
  });
  it('are not done with an invalid answer', () => {
    const draft = draftOf({ answers: { applicantName: ' ' }, passed: ['applicant'] });
    expect(isStageDone(service, stagesOf(service)[0]!, draft, today)).toBe(false);
  });
});
