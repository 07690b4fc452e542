import { describe, expect, it } from 'vitest';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import {
  documentsToSend,
  fieldsBroughtUp,
  leftMarks,
  openMarks,
  withoutMarked,
} from './mend-marks.ts';

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
  attachments: [file('old', 'passport'), file('kept', 'photo')],
} as unknown as RequestRecord;
const marks = [
  mark('answers.colour'),
  mark('answers.children.1.name'),
  mark('attachments.passport', 'old'),
  mark('attachments.licence'),
];

describe('the marks', () => {
  it('are those of the last return, and of none once it was sent again', () => {
    const history = [{ action: 'return', marks }];
    expect(openMarks({ history } as unknown as RequestRecord)).toBe(marks);
    expect(
      openMarks({
        history: [...history, { action: 'update', marks: [] }],
      } as unknown as RequestRecord),
    ).toEqual([]);
  });

  it('are left while nothing changed and nothing was said', () => {
    const documents = withoutMarked([file('old', 'passport'), file('kept', 'photo')], marks);
    expect(documents.map(({ attachmentId }) => attachmentId)).toEqual(['kept']);
    const mending = { record, answers: record.answers, documents, explanations: {} };
    expect(leftMarks(marks, mending)).toEqual([
      'answers.colour',
      'answers.children.1.name',
      'attachments.passport#old',
      'attachments.licence',
    ]);
    const answers = { colour: 'blue', children: [{ name: 'Omar' }, { name: 'Sarah' }] };
    expect(
      leftMarks(marks, {
        ...mending,
        answers,
        documents: [...documents, file('new', 'passport')],
        explanations: { 'attachments.licence': 'I have none' },
      }),
    ).toEqual([]);
    expect(
      leftMarks(marks, { ...mending, answers, explanations: { 'attachments.licence': '  ' } }),
    ).toEqual(['attachments.passport#old', 'attachments.licence']);
  });

  it('keep a document that is explained, and let it go for a new one', () => {
    const mending = {
      record,
      answers: record.answers,
      documents: [file('kept', 'photo')],
      explanations: { 'attachments.passport#old': 'It is right' },
    };
    expect(documentsToSend(marks, mending)).toEqual(['kept', 'old']);
    expect(
      documentsToSend(marks, {
        ...mending,
        documents: [file('kept', 'photo'), file('new', 'passport')],
      }),
    ).toEqual(['kept', 'new']);
  });
});

it('a change brings up what is asked because of it, and what is wrong', () => {
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
    fieldsBroughtUp(form, { colour: 'red' }, { colour: 'blue' }, (name) => name === 'date'),
  ).toEqual(['shade', 'date']);
  expect(fieldsBroughtUp(form, { colour: 'red' }, { colour: 'green' }, () => false)).toEqual([]);
});
