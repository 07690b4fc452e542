import { expect, it } from 'vitest';
import type { AttachmentRule, ServiceForm } from './forms.ts';
import { kindsOf, listSpecialData } from './special-data.ts';

const title = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
const form: ServiceForm = {
  steps: [
    {
      name: 'one',
      title: title('One'),
      fields: [
        { name: 'plain', kind: 'text', title: title('Plain'), required: false },
        {
          name: 'illness',
          kind: 'yesNo',
          title: title('Illness'),
          required: false,
          special: 'health',
        },
        {
          name: 'children',
          kind: 'group',
          title: title('Children'),
          required: false,
          fields: [
            {
              name: 'childName',
              kind: 'text',
              title: title('Name of the child'),
              required: true,
              special: 'children',
            },
            { name: 'note', kind: 'text', title: title('Note'), required: false },
          ],
        },
      ],
    },
  ],
};
const rules: AttachmentRule[] = [
  {
    name: 'report',
    title: title('Report'),
    required: false,
    mediaTypes: ['application/pdf'],
    maximumBytes: 1,
    maximumCount: 1,
    special: 'health',
  },
];
const list = (answers: Parameters<typeof listSpecialData>[2], documents: string[] = []) =>
  listSpecialData(form, rules, answers, documents).map((item) => [item.kind, item.title['en-US']]);

it('lists answers, answers in groups and documents that a request holds', () => {
  expect(list({ plain: 'x' })).toEqual([]);
  // “No” says something about a person’s health too.
  expect(list({ illness: false }, ['report', 'other'])).toEqual([
    ['health', 'Illness'],
    ['health', 'Report'],
  ]);
  expect(list({ children: [{ note: 'x' }] })).toEqual([]);
  expect(list({ children: [{ note: 'x' }, { childName: 'A' }] })).toEqual([
    ['children', 'Name of the child'],
  ]);
  expect(list({ children: [] })).toEqual([]);
});

it('names each kind once', () => {
  expect(kindsOf(listSpecialData(form, rules, { illness: true }, ['report']))).toEqual(['health']);
});
