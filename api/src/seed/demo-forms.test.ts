import { expect, it } from 'vitest';
import { checkAnswers } from '@diwan/contract/forms/check-answers';
import { checkForm } from '@diwan/contract/forms/check-form';
import type { FormField } from '@diwan/contract/forms/forms';
import { readSeedFiles } from './seed-files.ts';

const { forms } = await readSeedFiles();

it('exist', () => expect(forms.size).toBeGreaterThan(40));
it.each([...forms])(
  '%s can be shown, and asks for what it requires',
  (_, { form, attachments }) => {
    const fields = form.steps.flatMap((step) => step.fields);
    expect(
      checkForm(
        form,
        attachments.map((rule) => rule.name),
      ),
    ).toEqual([]);
    const hasCondition = (field: FormField) =>
      field.showWhen ?? form.steps.find((step) => step.fields.includes(field))?.showWhen;
    const required = fields
      .filter((field) => field.required && !hasCondition(field) && field.kind !== 'file')
      .map((field) => field.name);
    const { issues } = checkAnswers(form, {}, '2026-11-21');
    const missing = new Set(issues.map((issue) => issue.field.split('.')[1] ?? ''));
    expect(required.filter((name) => !missing.has(name))).toEqual([]);
    const requirable = fields.filter(
      (field) => field.required || field.requiredWhen || field.kind === 'file',
    );
    expect([...missing].filter((name) => !requirable.some((field) => field.name === name))).toEqual(
      [],
    );
  },
);
