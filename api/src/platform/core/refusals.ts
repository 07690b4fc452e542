import { refusals, type RefusalName, type ValidationIssue } from '@diwan/contract/wire/errors';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/**
 * What the words of a refusal name; a text of the data in every language. `detail` is a sentence
 * after the words, such as who was faster.
 */
export type RefusalParams = Record<string, string | number | LocalizedText>;

/** A refusal by name, thrown anywhere; `serve` turns it into the reply of specification §8. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  readonly params: RefusalParams;
  constructor(refusal: RefusalName, params: RefusalParams = {}) {
    super(refusal);
    this.refusal = refusal;
    this.params = params;
  }
  get status(): number {
    return refusals[this.refusal];
  }
}

/** A failed validation: everything that is wrong, field by field. Answered as 400 with `errors`. */
export class ValidationRefusal extends Error {
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[]) {
    super('ValidationFailed');
    this.issues = issues;
  }
}
