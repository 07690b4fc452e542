import { describe, expect, it } from 'vitest';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import {
  documentIdsToSend,
  findFieldsToReview,
  findUnresolvedMarks,
  withoutMarkedDocuments,
} from './correction-marks.ts';

const text = (word: string) => ({ 'ar-EG': word, 'en-US': word, 'ur-PK': word });
const mark = (field: string, attachmentId?: string) => ({
  field,
  ...(attachmentId === undefined ? {} : { attachmentId }),
  title: field,
  message: 'why',
});
const file = (attachmentId: string, name: string) => ({
  attachmentId,
  name,
  fileName: `${attachmentId}.pdf`,
  size: 1,
  mediaType: 'application/pdf',
});
const record = {
  answers: { colour: 'red', children: [{ name: 'Omar' }, { name: 'Sara' }] },
  attachments: [file('old', 'passport'), file('photo-1', 'photo')],
} as unknown as RequestRecord;
const marks = [
  mark('answers.colour'),
  mark('answers.children.1.name'),
  mark('attachments.passport', 'old'),
  mark('attachments.licence'),
];

describe('marks', () => {
  it('are unresolved until they are changed or explained', () => {
    const documents = withoutMarkedDocuments(
      [file('old', 'passport'), file('photo-1', 'photo')],
      marks,
    );
    expect(documents.map(({ attachmentId }) => attachmentId)).toEqual(['photo-1']);
    const state = { record, answers: record.answers, documents, explanations: {} };
    expect(findUnresolvedMarks(marks, state)).toEqual([
      'answers.colour',
      'answers.children.1.name',
      'attachments.passport#old',
      'attachments.licence',
    ]);
    const answers = { colour: 'blue', children: [{ name: 'Omar' }, { name: 'Sarah' }] };
    expect(
      findUnresolvedMarks(marks, {
        ...state,
        answers,
        documents: [...documents, file('new', 'passport')],
        explanations: { 'attachments.licence': 'I have none' },
      }),
    ).toEqual([]);
    expect(
      findUnresolvedMarks(marks, {
        ...state,
        answers,
        explanations: { 'attachments.licence': '  ' },
      }),
    ).toEqual(['attachments.passport#old', 'attachments.licence']);
  });

  it('submit an explained document again, and omit it when it was replaced', () => {
    const state = {
      record,
      answers: record.answers,
      documents: [file('photo-1', 'photo')],
      explanations: { 'attachments.passport#old': 'It is right' },
    };
    expect(documentIdsToSend(marks, state)).toEqual(['photo-1', 'old']);
    expect(
      documentIdsToSend(marks, {
        ...state,
        documents: [file('photo-1', 'photo'), file('new', 'passport')],
      }),
    ).toEqual(['photo-1', 'new']);
  });
});

it('findFieldsToReview finds fields that a change made visible, and invalid fields', () => {
  const field = (name: string, more: Partial<FormField> = {}): FormField => ({
    name,
    kind: 'text',
    title: text(name),
    required: false,
    ...more,
  });
  const form: ServiceForm = {
    steps: [
      {
        name: 'one',
        title: text('one'),
        fields: [
          field('colour'),
          field('shade', { showWhen: { field: 'colour', in: ['blue'] } }),
          field('date'),
        ],
      },
    ],
  };
  expect(
    findFieldsToReview(form, { colour: 'red' }, { colour: 'blue' }, (name) => name === 'date'),
  ).toEqual(['shade', 'date']);
  expect(findFieldsToReview(form, { colour: 'red' }, { colour: 'green' }, () => false)).toEqual([]);
});
