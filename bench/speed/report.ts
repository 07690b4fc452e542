// The table of the benchmark.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';
import type { Target } from './cases.ts';

/** What a server did in the runs of a case with a number of connections. */
export interface Measured {
  /** Replies a second, of each run. */
  rates: number[];
  /** In milliseconds. */
  times: number[];
  /** The processor time of server and PostgreSQL, in milliseconds. */
  cpu: { server: number; postgres: number };
  statements: number;
  wrong: Record<string, number>;
  /** `times` of calls that differ in kind, by the name of the kind. */
  kinds: Record<string, number[]>;
}

export interface Line {
  name: string;
  addresses: string;
  connections: number;
  targets: Partial<Record<Target, Measured>>;
}

/** The value below which a share of all values is. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? Number.NaN;

const whole = (value: number) =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
/** A duration without digits that say nothing. */
export const milliseconds = (value: number) => value.toFixed(value < 9.95 ? 1 : 0);

const otherOf = (
  others: Readonly<Record<string, Measured | undefined>>,
  describe: (other: Measured) => string,
) =>
  Object.entries(others)
    .flatMap(([name, other]) => (other ? [`${name} ${describe(other)}`] : []))
    .join(', ');

/** The cells of a line. */
function cellsOf({ name, addresses, connections, targets }: Line): string[] {
  const { product, memory, body, sql, oneRow, fastify } = targets;
  const rateOf = ({ rates }: Measured) => percentile(rates, 0.5);
  const shareOf = (other: Measured) =>
    product ? (rateOf(product) / rateOf(other)).toFixed(2) : '';
  const beside = (other: Measured | undefined) =>
    other ? `${whole(rateOf(other))} (${shareOf(other)})` : '';
  const cpuOf = ({ cpu, times }: Measured, process: keyof Measured['cpu']) =>
    whole((cpu[process] / times.length) * 1000);
  return [
    name,
    addresses,
    String(connections),
    ...(product
      ? [
          whole(rateOf(product)),
          milliseconds(percentile(product.times, 0.5)),
          milliseconds(percentile(product.times, 0.99)),
          cpuOf(product, 'server'),
          cpuOf(product, 'postgres'),
          (product.statements / product.times.length).toFixed(1),
        ]
      : []),
    beside(memory),
    memory ? cpuOf(memory, 'server') : '',
    beside(sql),
    sql ? milliseconds(percentile(sql.times, 0.99)) : '',
    sql ? `${cpuOf(sql, 'server')} + ${cpuOf(sql, 'postgres')}` : '',
    otherOf({ Fastify: fastify, 'one row': oneRow, 'without headers': body }, beside),
  ];
}

const titles = [
  'call',
  'addresses',
  'connections',
  'product, replies/s',
  'p50 ms',
  'p99 ms',
  'CPU server',
  'CPU PostgreSQL',
  'statements',
  'memory',
  'memory CPU',
  'SQL',
  'SQL p99',
  'SQL CPU',
  'other',
];

/** The lines as a table in Markdown. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [
    titles,
    titles.map((_, index) => (index < 2 || index === titles.length - 1 ? '---' : '--:')),
    ...lines.map(cellsOf),
  ];
  return tableFrom(rows);
}

/** The times of each kind of call of several lines, with the product and with SQL. */
export function tableOfKinds(lines: readonly Line[]): string {
  const timesOf = (target: Target) => {
    const times = new Map<string, number[]>();
    for (const { targets } of lines)
      for (const [kind, own] of Object.entries(targets[target]?.kinds ?? {}))
        times.set(kind, [...(times.get(kind) ?? []), ...own]);
    return times;
  };
  const [product, direct] = [timesOf('product'), timesOf('sql')];
  const cells = (times: readonly number[] = []) => [
    milliseconds(percentile(times, 0.5)),
    milliseconds(percentile(times, 0.99)),
  ];
  return tableFrom([
    ['asked for', 'calls', 'p50 ms', 'p99 ms', 'SQL p50', 'SQL p99'],
    ['---', '--:', '--:', '--:', '--:', '--:'],
    ...[...product]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([kind, times]) => [
        kind,
        whole(times.length),
        ...cells(times),
        ...cells(direct.get(kind)),
      ]),
  ]);
}

/** Rows of cells as Markdown; the second row has the alignments. */
export const tableFrom = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The machine and what else it did. */
export const machine = (): string =>
  `${new Date().toISOString().slice(0, 16)}, ${cpus().length} processors ` +
  `(${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ` +
  `load ${loadavg()[0]?.toFixed(1)} at the beginning`;

/** Puts a section of one size into the document, instead of the earlier one. */
export function replaceSection(document: string, size: string, section: string): string {
  const [start, end] = [`<!-- size ${size} -->`, `<!-- end ${size} -->`];
  const [before, after] = [document.indexOf(start), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`the document has no place for size ${size}`);
  return `${document.slice(0, before + start.length)}\n\n${section}\n\n${document.slice(after)}`;
}

const pathOf = (name: string) => join(root, 'docs', name);

/** Reads a file of the folder docs. */
export const readDocument = (name: string): string => readFileSync(pathOf(name), 'utf8');

/** Writes a file of the folder docs in the layout that `npm run check` asks for. */
export function writeDocument(name: string, text: string): void {
  writeFileSync(pathOf(name), text);
  execFileSync(join(root, 'node_modules', '.bin', 'oxfmt'), [pathOf(name)]);
}
