import {
  addressParts,
  getAddressField,
  type AddressPart,
} from '@diwan/contract/forms/address-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import type { ValidationIssue } from '@diwan/contract/wire/errors';

/**
 * The position of an answer: `applicantName`, `home.area`, `members.0.fullName`. Control names and
 * focus ids are such paths.
 */
export interface FieldPosition {
  field: FormField;
  /** The top-level field. */
  top: FormField;
  /** The index in a group, from 0. */
  index?: number;
  /** The part of an address. */
  part?: AddressPart;
}

export const pathOf = (issue: Pick<ValidationIssue, 'field'>): string =>
  issue.field.replace(/^answers\./, '');
export const topOf = (path: string): string => path.split('.')[0] ?? '';

/** Finds the field at a path; undefined when it does not exist. */
export function findFieldAt(form: ServiceForm, path: string): FieldPosition | undefined {
  const [name, second, third, fourth] = path.split('.');
  const top = form.steps.flatMap((step) => step.fields).find((field) => field.name === name);
  if (!top) return undefined;
  if (second === undefined) return { field: top, top };
  if (top.kind === 'address')
    return { field: getAddressField(second as AddressPart), top, part: second as AddressPart };
  const index = Number(second);
  const inner = top.fields?.find((field) => field.name === third);
  if (!inner) return { field: top, top, index };
  return fourth === undefined
    ? { field: inner, top, index }
    : { field: getAddressField(fourth as AddressPart), top, index, part: fourth as AddressPart };
}

/** Sorts paths as the form shows their fields: items, their fields and the parts of an address too. */
export function sortPaths(form: ServiceForm, paths: readonly string[]): string[] {
  const fields = form.steps.flatMap((step) => step.fields);
  const ranksOf = (path: string): number[] => {
    const position = findFieldAt(form, path);
    if (!position) return [fields.length];
    const { field, top, index = -1, part } = position;
    return [
      fields.indexOf(top),
      index,
      field === top ? -1 : (top.fields ?? []).findIndex(({ name }) => name === field.name),
      part === undefined ? -1 : addressParts.indexOf(part),
    ];
  };
  return paths.toSorted((one, other) => {
    const others = ranksOf(other);
    return (
      ranksOf(one)
        .map((rank, level) => rank - (others[level] ?? 0))
        .find((difference) => difference !== 0) ?? 0
    );
  });
}
