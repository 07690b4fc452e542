import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { clamdScanner } from './clamd.ts';

/** What a scan said: nothing harmful, or the name of what was found. */
export type ScanResult = { isClean: true } | { isClean: false; name: string };

/** Looks for harmful content. Throws when it cannot be reached, does not answer in time, or will not take the content: then nothing is known. */
export interface Scanner {
  scan(content: Readable): Promise<ScanResult>;
}

/** The scanner of the settings; `undefined` where none is set. */
export function openScanner(config: Pick<Config, 'CLAMD' | 'CLAMD_SECONDS'>): Scanner | undefined {
  return config.CLAMD === undefined ? undefined : clamdScanner(config.CLAMD, config.CLAMD_SECONDS * 1000);
}
