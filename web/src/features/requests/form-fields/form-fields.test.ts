import fc from 'fast-check';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeLanguage } from '#lib/i18n/translate.ts';
import { allNamespaces, startTestTranslations } from '#testing/translations.ts';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { answersTo, forms } from '@diwan/contract/testing/random-forms';
import { languages } from '@diwan/contract/wire/languages';
import { findFieldAt, sortPaths } from './answer-path.ts';
import { FormFields, FormFieldsSummary } from './form-fields.tsx';
import { groupedCode } from './grouped-codes.ts';
import { initialValuesOf, type AnswerValues } from './initial-values.ts';
import { StepAnswers } from './step-answers.tsx';
import { useAnswersForm } from './use-answers-form.ts';

beforeAll(async () => {
  await startTestTranslations('ar-EG', ...allNamespaces);
});

function Step({
  form,
  stepIndex,
  answers,
}: {
  form: ServiceForm;
  stepIndex: number;
  answers: AnswerValues;
}): ReactNode {
  const answersForm = useAnswersForm({ form, stepIndex, answers });
  const step = form.steps[stepIndex]!;
  // As after a failed attempt with all errors visible.
  const tried = { ...answersForm, attempt: 1, wrongNames: [...answersForm.issues.keys()] };
  return [
    createElement(FormFieldsSummary, { key: 1, form, answersForm: tried }),
    createElement(FormFields, { key: 2, form, step, answersForm: tried }),
    createElement(StepAnswers, { key: 3, form, step, answers }),
  ];
}

describe('a valid form', () => {
  it('is rendered in three languages for any answers', async () => {
    // Other forms in each language.
    for (const [index, language] of languages.entries()) {
      await changeLanguage(language);
      fc.assert(
        fc.property(
          forms.chain((form) => fc.tuple(fc.constant(form), answersTo(form))),
          ([form, answers]) => {
            form.steps.forEach((step, stepIndex) => {
              const page = renderToString(createElement(Step, { form, stepIndex, answers }));
              for (const field of step.fields)
                if (isFieldShown(form, field, initialValuesOf(form, stepIndex, answers)))
                  expect(page).toContain(`answers.${field.name}`);
            });
          },
        ),
        { numRuns: 25, seed: 20_261_121 + index },
      );
    }
  });

  it('starts with the compatible answers of an older form', () => {
    const title = { 'ar-EG': 'س', 'en-US': 'q', 'ur-PK': 'س' };
    const field = (name: string, more: Partial<FormField>): FormField => ({
      name,
      kind: 'text',
      title,
      required: true,
      ...more,
    });
    const form: ServiceForm = {
      steps: [
        {
          name: 'a',
          title,
          fields: [
            field('home', { kind: 'address' }),
            field('members', {
              kind: 'group',
              itemTitle: title,
              minItems: 2,
              fields: [field('fullName', {}) as never],
            }),
            field('note', {}),
          ],
        },
      ],
    };
    expect(
      initialValuesOf(form, 0, { home: 'Deira', members: 'nobody', note: ['x'], other: 1 }),
    ).toEqual({
      members: [{}, {}],
      other: 1,
    });
    expect(
      initialValuesOf(form, 0, { home: { area: 'x' }, members: [{ fullName: 'A', old: 1 }, 'x'] }),
    ).toEqual({ home: { area: 'x' }, members: [{ fullName: 'A', old: 1 }] });
    expect(findFieldAt(form, 'members.1.fullName')).toMatchObject({
      field: { name: 'fullName' },
      top: { name: 'members' },
      index: 1,
    });
    expect(findFieldAt(form, 'home.area')).toMatchObject({ top: { name: 'home' }, part: 'area' });
    expect(findFieldAt(form, 'nonsense')).toBeUndefined();
  });

  it('groups codes for reading', () => {
    expect(groupedCode('iban', 'AE070331234567890123456')).toBe('AE07 0331 2345 6789 0123 456');
    expect(groupedCode('mobile', '+971501234567')).toBe('+971 50 123 4567');
    expect(groupedCode('trn', '100123456700003')).toBe('100 1234 5670 0003');
  });
});

describe('sortPaths', () => {
  const title = { 'ar-EG': 'حقل', 'en-US': 'Field', 'ur-PK': 'خانہ' };
  const text = (name: string) => ({ kind: 'text' as const, name, title, required: true });
  const drivers: FormField = {
    kind: 'group',
    name: 'drivers',
    title,
    required: true,
    fields: [text('driverName'), text('licence')],
  };
  const form: ServiceForm = {
    steps: [
      {
        name: 'first',
        title,
        fields: [text('owner'), drivers, { ...text('home'), kind: 'address' }],
      },
      { name: 'second', title, fields: [text('note')] },
    ],
  };
  it('orders fields, items, their fields and parts of addresses as the form shows them', () => {
    const paths = [
      'owner',
      'drivers',
      'drivers.0.driverName',
      'drivers.0.licence',
      'drivers.1.driverName',
      'drivers.10.driverName',
      'home.emirate',
      'home.street',
      'note',
    ];
    expect(sortPaths(form, paths.toReversed())).toEqual(paths);
  });
});
