import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import i18next from 'i18next';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { initReactI18next } from 'react-i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { languages } from '@diwan/contract/wire/languages';
import { answersTo, forms } from '@diwan/contract/testing/random-forms';
import { groupedCode } from './form-fields-codes.ts';
import { StepAnswers } from './form-fields-answer.tsx';
import { useAnswersForm } from './form-fields-form.ts';
import { placeAt } from './form-fields-path.ts';
import { startOf, type AnswerValues } from './form-fields-start.ts';
import { FormFields, FormFieldsSummary } from './form-fields.tsx';

const textsOf = (language: string, noun: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../public/locales/${language}/${noun}.json`, import.meta.url),
      'utf8',
    ),
  );
const nouns = ['forms', 'errors', 'attachments', 'shell'];

beforeAll(async () => {
  const resources = Object.fromEntries(
    languages.map((language) => [
      language,
      Object.fromEntries(nouns.map((noun) => [noun, textsOf(language, noun)])),
    ]),
  );
  await i18next.use(initReactI18next).init({
    lng: 'ar-EG',
    fallbackLng: false,
    defaultNS: 'shell',
    ns: nouns,
    resources: resources as never,
    interpolation: { escapeValue: false },
  });
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
  // As after an attempt, with all that is wrong said.
  const tried = { ...answersForm, attempt: 1, wrongNames: [...answersForm.issues.keys()] };
  return [
    createElement(FormFieldsSummary, { key: 1, form, answersForm: tried }),
    createElement(FormFields, { key: 2, form, step, answersForm: tried }),
    createElement(StepAnswers, { key: 3, form, step, answers }),
  ];
}

describe('a form that passes the check', () => {
  it('is always shown, in three languages, whatever was answered', async () => {
    for (const language of languages) {
      await i18next.changeLanguage(language);
      fc.assert(
        fc.property(
          forms.chain((form) => fc.tuple(fc.constant(form), answersTo(form))),
          ([form, answers]) => {
            form.steps.forEach((step, stepIndex) => {
              const page = renderToString(createElement(Step, { form, stepIndex, answers }));
              for (const field of step.fields)
                if (isFieldShown(form, field, startOf(form, stepIndex, answers)))
                  expect(page).toContain(`answers.${field.name}`);
            });
          },
        ),
        { numRuns: 60, seed: 20_261_121 },
      );
    }
  });

  it('begins with answers of an older form as far as they fit', () => {
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
    expect(startOf(form, 0, { home: 'Deira', members: 'nobody', note: ['x'], other: 1 })).toEqual({
      members: [{}, {}],
      other: 1,
    });
    expect(
      startOf(form, 0, { home: { area: 'x' }, members: [{ fullName: 'A', old: 1 }, 'x'] }),
    ).toEqual({ home: { area: 'x' }, members: [{ fullName: 'A', old: 1 }] });
    expect(placeAt(form, 'members.1.fullName')).toMatchObject({
      field: { name: 'fullName' },
      top: { name: 'members' },
      index: 1,
    });
    expect(placeAt(form, 'home.area')).toMatchObject({ top: { name: 'home' }, part: 'area' });
    expect(placeAt(form, 'nonsense')).toBeUndefined();
  });

  it('groups codes for reading', () => {
    expect(groupedCode('iban', 'AE070331234567890123456')).toBe('AE07 0331 2345 6789 0123 456');
    expect(groupedCode('mobile', '+971501234567')).toBe('+971 50 123 4567');
    expect(groupedCode('trn', '100123456700003')).toBe('100 1234 5670 0003');
  });
});
