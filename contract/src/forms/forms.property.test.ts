import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersTo, forms } from '../testing/random-forms.ts';
import { checkAnswers, checkStep } from './check-answers.ts';
import { fieldKinds } from './forms.ts';

const today = '2026-11-21';
const cases = forms.chain((form) => fc.tuple(fc.constant(form), answersTo(form)));
const runs = { numRuns: 600, seed: 20_261_121 };

describe('any valid form, with any answers', () => {
  it('is checked without throwing, and stored answers are stored again unchanged', () => {
    let accepted = 0;
    fc.assert(
      fc.property(cases, ([form, answers]) => {
        const first = checkAnswers(form, answers, today);
        const again = checkAnswers(form, first.answers, today);
        expect(JSON.stringify(again.answers)).toBe(JSON.stringify(first.answers));
        // Invalid answers are missing the second time; stored answers have no issues.
        expect(
          again.issues.filter(
            (issue) => !['required', 'tooFewItems', 'tooManyItems'].includes(issue.code),
          ),
        ).toEqual([]);
        if (first.issues.length > 0) return;
        accepted += 1;
        expect(again.issues).toEqual([]);
      }),
      runs,
    );
    // The property would be meaningless if everything were refused.
    expect(accepted).toBeGreaterThan(100);
  });

  it('gives the same result after a round trip through JSON', () => {
    fc.assert(
      fc.property(cases, ([form, answers]) => {
        const stored = checkAnswers(form, answers, today).answers;
        const parsed = JSON.parse(JSON.stringify({ form, stored })) as {
          form: typeof form;
          stored: typeof stored;
        };
        expect(checkAnswers(parsed.form, parsed.stored, today)).toEqual(
          checkAnswers(form, stored, today),
        );
      }),
      { ...runs, numRuns: 500 },
    );
  });

  it('names issues by fields of the form, or as unknown, each in one step', () => {
    fc.assert(
      fc.property(cases, ([form, answers]) => {
        const names = new Set(form.steps.flatMap((step) => step.fields.map((field) => field.name)));
        const { issues } = checkAnswers(form, answers, today);
        for (const issue of issues) {
          expect(issue.field.startsWith('answers.')).toBe(true);
          if (issue.code !== 'unknownField') expect(names).toContain(issue.field.split('.')[1]);
        }
        const ofSteps = form.steps.flatMap((_, index) => checkStep(form, index, answers, today));
        expect(ofSteps).toEqual(
          issues.filter((issue) => names.has(issue.field.split('.')[1] ?? '')),
        );
      }),
      { ...runs, numRuns: 500 },
    );
  });

  it('covers every kind of field', () => {
    const kinds = new Set(
      fc
        .sample(forms, { numRuns: 300, seed: 1 })
        .flatMap((form) => form.steps.flatMap((step) => step.fields.map((field) => field.kind))),
    );
    expect([...fieldKinds].filter((kind) => kind !== 'file' && !kinds.has(kind))).toEqual([]);
  });
});
