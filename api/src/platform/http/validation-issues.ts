import type { z } from 'zod';
import type { ValidationIssue } from '@diwan/contract/wire/errors';

type ZodIssue = z.core.$ZodIssue;

function codeOf(issue: ZodIssue): Pick<ValidationIssue, 'code' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return { code: issue.input === undefined ? 'required' : 'wrongType' };
    case 'too_small':
      if (issue.origin === 'string')
        return Number(issue.minimum) <= 1
          ? { code: 'whitespace' }
          : { code: 'tooShort', params: { minimum: Number(issue.minimum) } };
      return { code: 'tooSmall', params: { minimum: Number(issue.minimum) } };
    case 'too_big':
      return {
        code: issue.origin === 'string' || issue.origin === 'array' ? 'tooLong' : 'tooLarge',
        params: { maximum: Number(issue.maximum) },
      };
    case 'unrecognized_keys':
      return { code: 'unknownField' };
    case 'invalid_value':
      return { code: 'notAllowed' };
    default:
      return { code: 'wrongType' };
  }
}

/**
 * What zod found wrong, in the contract's words. Fields are paths such as `answers.licenceNumber`.
 */
export function issuesOf(error: z.ZodError): ValidationIssue[] {
  return error.issues.map((issue) => ({
    field: issue.path.map(String).join('.') || 'body',
    ...codeOf(issue),
  }));
}
