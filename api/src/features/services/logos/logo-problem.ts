/**
 * Why a file cannot be a logo; each is a key under `logo.problems` in `catalogue.json`. `part` is
 * the part of the file that is not allowed.
 */
export class LogoProblem extends Error {
  readonly reason: 'notADrawing' | 'notAllowed' | 'damaged' | 'tooComplex' | 'tooLarge' | 'size';
  readonly part: string;
  constructor(reason: LogoProblem['reason'], part = '') {
    super(`${reason} ${part}`.trim());
    this.reason = reason;
    this.part = part;
  }
}
