import { refusals, type RefusalName, type ValidationIssue } from '@diwan/contract/errors';

/** A refusal by name, thrown anywhere; `serve` turns it into the reply of specification §8. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  readonly params: Record<string, string | number>;
  constructor(refusal: RefusalName, params: Record<string, string | number> = {}) {
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
