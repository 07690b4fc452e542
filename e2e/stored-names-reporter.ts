import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { expectedNames } from './stored-names.ts';

/**
 * A run of all journeys fails if no browser stored a name that the page about storage lists: the page
 * would tell people of something that does not exist.
 */
export default class StoredNamesReporter implements Reporter {
  private readonly seen = new Set<string>();
  private readonly files = new Set<string>();

  printsToStdio(): boolean {
    return false;
  }

  onTestEnd({ location }: TestCase, { annotations }: TestResult): void {
    this.files.add(basename(location.file));
    for (const { type, description = '' } of annotations)
      if (type === 'stored') for (const name of description.split(', ')) this.seen.add(name);
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    const isComplete =
      !process.argv.some((argument) => /^(-g|--grep|--shard|--last-failed)/.test(argument)) &&
      readdirSync(import.meta.dirname)
        .filter((name) => name.endsWith('.journey.ts'))
        .every((name) => this.files.has(name));
    const missing = expectedNames.filter((name) => !this.seen.has(name));
    if (status !== 'passed' || !isComplete || missing.length === 0) return undefined;
    console.error(`contract/src/portal/browser-storage.ts lists what no journey saw:`);
    console.error(missing.join('\n'));
    return { status: 'failed' };
  }
}
