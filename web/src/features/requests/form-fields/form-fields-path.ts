import { addressField, type AddressPart } from '@diwan/contract/forms/address-answers';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';

/**
 * Where an answer stands: `applicantName`, `home.area`, `members.0.fullName`. Control names and
 * focus ids of the page are such paths.
 */
export interface FieldPlace {
  field: FormField;
  /** The field of the form that it is or stands in. */
  top: FormField;
  /** From 0, within a group. */
  index?: number;
  /** The part of an address. */
  part?: AddressPart;
}

export const pathOf = (issue: Pick<ValidationIssue, 'field'>): string =>
  issue.field.replace(/^answers\./, '');
export const topOf = (path: string): string => path.split('.')[0] ?? '';

/** What stands at a path; undefined when the form has nothing there. */
export function placeAt(form: ServiceForm, path: string): FieldPlace | undefined {
  const [name, second, third, fourth] = path.split('.');
  const top = form.steps.flatMap((step) => step.fields).find((field) => field.name === name);
  if (!top) return undefined;
  if (second === undefined) return { field: top, top };
  if (top.kind === 'address')
    return { field: addressField(second as AddressPart), top, part: second as AddressPart };
  const index = Number(second);
  const inner = top.fields?.find((field) => field.name === third);
  if (!inner) return { field: top, top, index };
  return fourth === undefined
    ? { field: inner, top, index }
    : { field: addressField(fourth as AddressPart), top, index, part: fourth as AddressPart };
}
