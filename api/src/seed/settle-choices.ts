import { isConditionMet, type Condition } from '@diwan/contract/forms/form-conditions';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import type { FormFile } from './seed-shapes.ts';

/** What a service says itself: the choices of its form that fit it, by the name of the field. */
type SettledChoices = Readonly<Record<string, readonly (string | boolean)[]>>;

type Step = ServiceForm['steps'][number];
type Field = Step['fields'][number];
/** A condition that is always met, never, or depends on what is asked. */
type Folded = Condition | boolean;

/** The possible answers of fields that are settled; `undefined` alone for one that is not asked. */
type Possible = Map<string, readonly unknown[]>;

const comparison = (condition: Condition): Condition => {
  const { all: _all, any: _any, not: _not, ...own } = condition;
  return own;
};

function foldComparison(own: Condition, possible: Possible): Folded {
  const values = own.field === undefined ? undefined : possible.get(own.field);
  if (own.field === undefined) return true;
  if (!values) return own;
  const met = values.filter((value) => isConditionMet(own, () => value, '2000-01-01'));
  if (met.length === values.length) return true;
  if (met.length === 0) return false;
  // A comparison with what can no longer be chosen is a problem of a form.
  return { field: own.field, in: met as (string | boolean)[] };
}

const negated = (folded: Folded): Folded =>
  typeof folded === 'boolean' ? !folded : { not: folded };

/** What is open of these, together; `nothing` where nothing is. */
function joined(parts: readonly Folded[], as: 'all' | 'any', nothing: boolean): Folded {
  const [first, ...others] = parts.filter((part) => typeof part !== 'boolean');
  if (!first) return nothing;
  return others.length === 0 ? first : { [as]: [first, ...others] };
}

function fold(condition: Condition, possible: Possible): Folded {
  const { all = [], any, not } = condition;
  const parts: Folded[] = [
    foldComparison(comparison(condition), possible),
    ...all.map((each) => fold(each, possible)),
    ...(not ? [negated(fold(not, possible))] : []),
  ];
  if (any) {
    const ways = any.map((each) => fold(each, possible)).filter((each) => each !== false);
    parts.push(ways.includes(true) ? true : joined(ways, 'any', false));
  }
  return parts.includes(false) ? false : joined(parts, 'all', true);
}

/** The part without a condition that is always met; undefined where it is never met. */
function settle<Part extends { showWhen?: Condition | undefined }>(
  part: Part,
  possible: Possible,
): Part | undefined {
  if (!part.showWhen) return part;
  const folded = fold(part.showWhen, possible);
  if (folded === false) return undefined;
  const { showWhen: _showWhen, ...others } = part;
  return (folded === true ? others : { ...others, showWhen: folded }) as Part;
}

function settleRequired<Part extends { required: boolean; requiredWhen?: Condition | undefined }>(
  part: Part,
  possible: Possible,
): Part {
  if (!part.requiredWhen) return part;
  const folded = fold(part.requiredWhen, possible);
  const { requiredWhen: _requiredWhen, ...others } = part;
  if (typeof folded === 'boolean')
    return { ...others, required: part.required || folded } as unknown as Part;
  return { ...others, requiredWhen: folded } as unknown as Part;
}

function settleField(field: Field, choices: SettledChoices, possible: Possible): Field[] {
  const shown = settle(field, possible);
  const fitting = choices[field.name];
  if (!shown || fitting?.length === 1) {
    possible.set(field.name, (shown && fitting) || [undefined]);
    return [];
  }
  const asked = settleRequired(shown, possible);
  if (fitting) possible.set(field.name, fitting);
  return [
    {
      ...asked,
      ...(fitting ? { oneOf: asked.oneOf?.filter((each) => fitting.includes(each.const)) } : {}),
      ...(asked.fields
        ? {
            fields: asked.fields.flatMap((each) => settleField(each, choices, possible)),
          }
        : {}),
    } as Field,
  ];
}

function settleStep(step: Step, choices: SettledChoices, possible: Possible): Step[] {
  const shown = settle(step, possible);
  const hide = (fields: readonly Field[]) => {
    for (const { name } of fields) possible.set(name, [undefined]);
  };
  if (!shown) {
    hide(step.fields);
    return [];
  }
  const sections = shown.sections?.flatMap((each) => settle(each, possible) ?? []);
  const isHidden = ({ section }: Field) =>
    section !== undefined && !sections?.some((each) => each.name === section);
  hide(shown.fields.filter(isHidden));
  const fields = shown.fields
    .filter((field) => !isHidden(field))
    .flatMap((field) => settleField(field, choices, possible));
  if (fields.length === 0) return [];
  const used = sections?.filter((each) => fields.some(({ section }) => section === each.name));
  const { sections: _sections, ...others } = shown;
  return [{ ...others, ...(used && used.length > 0 ? { sections: used } : {}), fields }];
}

/** A document whose place nothing hides. */
const isAlwaysAsked = (fields: readonly Field[], attachment: string): boolean =>
  fields.some((each) => each.attachment === attachment && each.required && !each.showWhen);

/**
 * A form without the questions that the service answers itself, and without what they would lead to:
 * steps, fields, documents and fees. A field with one choice that fits is not asked; with several, only
 * these are offered. Throws for a field or a choice that the form does not have.
 */
export function settleChoices(file: FormFile, choices: SettledChoices): FormFile {
  const asked = new Map(
    file.form.steps.flatMap((step) => step.fields.map((field) => [field.name, field] as const)),
  );
  for (const [name, fitting] of Object.entries(choices)) {
    const field = asked.get(name);
    const known: readonly (string | boolean)[] =
      field?.kind === 'yesNo' ? [true, false] : (field?.oneOf ?? []).map((each) => each.const);
    const unknown = fitting.find((each) => !known.includes(each));
    if (fitting.length === 0 || unknown !== undefined)
      throw new Error(`the form ${file.name} offers no ${String(unknown ?? 'choice')} in ${name}`);
  }
  const possible: Possible = new Map();
  const steps = file.form.steps.flatMap((step) => settleStep(step, choices, possible));
  const left = steps.flatMap((step) => step.fields);
  const isGone = (name: string | undefined) =>
    name !== undefined && asked.has(name) && !left.some((field) => field.name === name);
  const places = (fields: readonly Field[]) =>
    new Set(fields.flatMap(({ attachment }) => attachment ?? []));
  const [before, after] = [places([...asked.values()]), places(left)];
  return {
    ...file,
    form: { steps },
    attachments: file.attachments
      .filter(({ name }) => !before.has(name) || after.has(name))
      .map((rule) => ({ ...rule, required: rule.required || isAlwaysAsked(left, rule.name) })),
    fees: file.fees.flatMap((fee) => {
      if ([fee.per, fee.percentOf, fee.finesOf].some(isGone)) return [];
      if (!fee.when) return [fee];
      const folded = fold(fee.when, possible);
      if (folded === false) return [];
      const { when: _when, ...others } = fee;
      return [folded === true ? others : { ...others, when: folded }];
    }),
  };
}
