import { describe, expect, it } from 'vitest';
import type { Service } from '@diwan/contract/catalogue/services';
import type { FormField } from '@diwan/contract/forms/forms';
import type { Draft } from '../drafts/draft.ts';
import { isStageDone, knownStages, reachableStage, stagesOf } from './create-request-stages.ts';

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

describe('the steps that nobody is asked for', () => {
  const known = (origin: 'profile' | 'uaePass' | 'earlierRequest', applicantName: string) =>
    knownStages(
      service,
      draftOf({ answers: { applicantName } }),
      [{ name: 'applicantName', value: applicantName, origin }],
      today,
    ).map(({ name }) => name);

  it('are those at the beginning that the account answers', () => {
    expect(known('profile', 'Ahmed Khan')).toEqual(['applicant']);
    expect(known('uaePass', 'Ahmed Khan')).toEqual(['applicant']);
  });
  it('are none with answers of earlier requests, a wrong answer or an answer of the person', () => {
    expect(known('earlierRequest', 'Ahmed Khan')).toEqual([]);
    expect(known('profile', '')).toEqual([]);
    expect(knownStages(service, draftOf({ answers: { reason: 'x' } }), [], today)).toEqual([]);
    const answers = { applicantName: 'Ahmed Khan' };
    expect(knownStages(service, draftOf({ answers }), [], today)).toEqual([]);
  });
});
