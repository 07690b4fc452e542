import { readFileSync } from 'node:fs';

/** The product's version, as package.json has it and the footer shows it (specification §1). */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  }
).version;
