import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const file = join(import.meta.dirname, '../../docs/lab/performance.md');

/** A row of a table; `about` is the line above the table. */
interface Row {
  table: string;
  about: string;
  cells: Record<string, string | number>;
}

interface Finding {
  finding: string;
  /** Where the test saw it. */
  where: string;
}

const note = (type: string, content: Row | Finding) =>
  void test.info().annotations.push({ type, description: JSON.stringify(content) });

/** Notes something that must not be. It does not end the test; the run fails. */
export const noteFinding = (finding: string, where = ''): void =>
  note('finding', { finding, where });

/** Adds a row to a table, which the end of the run prints. */
export const noteRow = (row: Row): void => note('row', row);

function tableOf(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0]?.cells ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const isText = (column: string) => rows.some(({ cells }) => Number.isNaN(Number(cells[column])));
  return [
    line(columns.map((column) => column.trim())),
    line(columns.map((column) => (isText(column) ? '---' : '--:'))),
    ...rows.map(({ cells }) => line(Object.values(cells))),
  ].join('\n');
}

/**
 * Prints what measurements noted: each finding when it is first seen, and at the end with all tests
 * that show it; each table. With WRITE=on a table replaces that of its name in
 * docs/lab/performance.md. A run with findings fails.
 */
export default class MeasureReporter implements Reporter {
  private readonly findings = new Map<string, string[]>();
  private readonly rows: Row[] = [];
  private tests = 0;

  printsToStdio(): boolean {
    return false;
  }

  onTestEnd({ title }: TestCase, { annotations }: TestResult): void {
    this.tests += 1;
    for (const { type, description = '' } of annotations)
      if (type === 'row') this.rows.push(JSON.parse(description) as Row);
      else if (type === 'finding') this.addFinding(JSON.parse(description) as Finding, title);
  }

  private addFinding({ finding, where }: Finding, title: string): void {
    const seen = `${title} ${where}`;
    if (!this.findings.has(finding)) console.warn(`${seen}: ${finding}`);
    this.findings.set(finding, [...(this.findings.get(finding) ?? []), seen]);
  }

  async onEnd(): Promise<{ status: FullResult['status'] } | undefined> {
    for (const name of new Set(this.rows.map(({ table }) => table))) {
      const rows = this.rows.filter(({ table }) => table === name);
      const text = `${rows.at(-1)?.about}\n\n${tableOf(rows)}`;
      console.log(`\n${text}`);
      if (process.env.WRITE === 'on') writeTable(name, text);
    }
    if (this.findings.size === 0) return undefined;
    for (const [finding, titles] of this.findings)
      console.log(`${finding}\n${titles.map((title) => `    ${title}`).join('\n')}`);
    console.log(`${this.tests} tests, ${this.findings.size} findings`);
    return { status: 'failed' };
  }
}

function writeTable(name: string, text: string): void {
  const begin = `<!-- ${name} -->\n`;
  const end = `\n<!-- end ${name} -->`;
  const [before, , after] = readFileSync(file, 'utf8').split(
    new RegExp(`(?<=${begin})|(?=${end})`),
  );
  if (after === undefined) throw new Error(`${file} has no table ${name}`);
  writeFileSync(file, `${before}\n${text}\n${after}`);
}
