import { isRealDay } from '@diwan/contract/wire/days';

/** A line of a settlement file: what a provider settled, and its charge. */
export interface SettlementLine {
  /** The provider's own name of the line. */
  lineId: string;
  kind: 'payment' | 'refund';
  merchantReference: string;
  /** The provider's id of a refund; empty for a payment. */
  refundId: string;
  /** In the smallest unit of the currency; never negative. */
  amount: number;
  /** What the provider keeps, in the same unit. */
  charge: number;
  currency: string;
  /** ISO 8601, UTC. */
  occurredAt: string;
}

/** What is wrong with a cell. `row` counts from 1 and includes the header. */
interface SettlementProblem {
  row: number;
  column: string;
  code:
    | 'unreadable'
    | 'header'
    | 'cells'
    | 'quote'
    | 'empty'
    | 'tooLong'
    | 'kind'
    | 'amount'
    | 'currency'
    | 'time'
    | 'tooManyRows';
}

const columns = [
  'line_id',
  'kind',
  'merchant_reference',
  'refund_id',
  'amount',
  'charge',
  'currency',
  'occurred_at',
] as const;
type Column = (typeof columns)[number];

const longestCell = 100;
const mostRows = 20_000;
/** Problems after these are not listed. */
const mostProblems = 100;

const time = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;

/** The cells of one line of CSV (RFC 4180); `undefined` where a quote is not closed. */
function readCells(line: string): string[] | undefined {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let end = ','; end === ',';) {
    const match = cell.exec(line);
    if (!match) return undefined;
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    end = match[3] ?? '';
  }
  return cells;
}

/** An amount such as 105.00 as 10500, without a floating point number. */
function readAmount(text: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === '' ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** An amount as a file shows it: 10500 is 105.00. */
const writeAmount = (amount: number): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

/** A settlement file of these lines: CSV in UTF-8. */
export function writeSettlementFile(lines: readonly SettlementLine[]): string {
  const rows = lines.map((line) =>
    [
      line.lineId,
      line.kind,
      line.merchantReference,
      line.refundId,
      writeAmount(line.amount),
      writeAmount(line.charge),
      line.currency,
      line.occurredAt,
    ].join(','),
  );
  return `${[columns.join(','), ...rows].join('\n')}\n`;
}

type Problem = (column: Column, code: SettlementProblem['code']) => void;

function readLine(cells: ReadonlyMap<Column, string>, problem: Problem): SettlementLine {
  const text = (column: Column, isNeeded = true) => {
    const value = cells.get(column) ?? '';
    if (isNeeded && value === '') problem(column, 'empty');
    if (value.length > longestCell) problem(column, 'tooLong');
    return value;
  };
  const amount = (column: Column) => {
    const value = readAmount(text(column));
    if (value === undefined && cells.get(column)) problem(column, 'amount');
    return value ?? 0;
  };
  const kind = text('kind');
  if (kind !== '' && kind !== 'payment' && kind !== 'refund') problem('kind', 'kind');
  const currency = text('currency');
  if (currency !== '' && !/^[A-Z]{3}$/.test(currency)) problem('currency', 'currency');
  const at = text('occurred_at');
  const isTime = time.test(at) && isRealDay(at.slice(0, 10)) && !Number.isNaN(Date.parse(at));
  if (at !== '' && !isTime) problem('occurred_at', 'time');
  return {
    lineId: text('line_id'),
    kind: kind === 'refund' ? 'refund' : 'payment',
    merchantReference: text('merchant_reference'),
    refundId: text('refund_id', kind === 'refund'),
    amount: amount('amount'),
    charge: amount('charge'),
    currency,
    occurredAt: isTime ? new Date(at).toISOString() : at,
  };
}

/** The text of a file in UTF-8; `undefined` where it is something else. */
function readText(content: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Reads a settlement file: CSV in UTF-8 with a header that names every column, in any order. A file
 * with a problem has no lines that count.
 */
export function readSettlementFile(content: Buffer): {
  lines: SettlementLine[];
  problems: SettlementProblem[];
} {
  const lines: SettlementLine[] = [];
  const problems: SettlementProblem[] = [];
  const text = readText(content);
  if (text === undefined) return { lines, problems: [{ row: 1, column: '', code: 'unreadable' }] };
  const [first = '', ...rest] = text.split(/\r\n|\n/);
  const header = readCells(first) ?? [];
  for (const column of columns)
    if (header.filter((name) => name === column).length !== 1)
      problems.push({ row: 1, column, code: 'header' });
  if (problems.length > 0) return { lines, problems };
  for (const [index, line] of rest.entries()) {
    const row = index + 2;
    if (line === '' && row === rest.length + 1) break;
    if (problems.length >= mostProblems) break;
    if (lines.length >= mostRows) {
      problems.push({ row, column: '', code: 'tooManyRows' });
      break;
    }
    const cells = readCells(line);
    if (!cells || cells.length !== header.length)
      problems.push({ row, column: '', code: cells ? 'cells' : 'quote' });
    else
      lines.push(
        readLine(
          new Map(header.map((name, place) => [name as Column, cells[place] ?? ''])),
          (column, code) => problems.push({ row, column, code }),
        ),
      );
  }
  return { lines, problems };
}
