// Plain calls beside hostile searches: whether searches that take long delay the calls of others.
import type { LoadCall, LoadGenerator, LoadResult } from '../load/load-generator.ts';
import { oldWords } from './people-names.ts';
import { milliseconds, percentile, tableFrom } from './report.ts';

const services = '/api/Service/GetServices?PageSize=20';
const requests = '/api/Request/GetRequestsByStatusId?Take=20';
const letters = 'abcdefghijklmnopqrstuvwxyz';
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => letters[index % 26] + String(index)).join(' ');

// Each with a parameter that no other call had, so that no reply comes from the cache.
const searches: [name: string, path: string, keyword?: string][] = [
  ['services: 10,000 letters', services, 'x'.repeat(10_000)],
  ['services: a thousand words', services, words(1000)],
  ['services: one letter', services, 'e'],
  ['services: page 1,000,000', `${services}&PageNumber=1000000`],
  ['requests: 10,000 letters', requests, 'x'.repeat(10_000)],
  ['requests: fifty words', requests, words(50)],
  ['requests: a word of all, page 1', requests, 'dw'],
  ['requests: a word of all, page 400', `${requests}&PageNumber=400`, 'dw'],
  ['requests: a word of all, page 1,000,000', `${requests}&PageNumber=1000000`, 'dw'],
  ['requests: a word of none', requests, 'qxzvwj'],
  ['requests: two letters of none', requests, 'qx'],
  ['requests: a word of old ones only', requests, oldWords.many],
  ['requests: page 50,000 by date', `${requests}&PageNumber=50000&DateFrom=2000-01-01`],
  ['requests: refunded', `${requests}&IsRefunded=true`],
];

// A server that others fill delays every call, whatever they ask: the rates are far below what it
// serves, so that only the length of single searches delays the others.
const hostilePerSecond = 10;
const plainPerSecond = 60;

/** The tokens of the plain caller and of the hostile one. */
interface HostileStage {
  port: number;
  plain: string;
  hostile: string;
}

const timesOf = (results: readonly LoadResult[], group: string): number[] =>
  results.flatMap((result) => result[group]?.served ?? []);

// How often each status was answered.
function statusesOf(results: readonly LoadResult[]): string {
  const counts: Record<string, number> = {};
  const add = (status: string, count: number) => {
    if (count > 0) counts[status] = (counts[status] ?? 0) + count;
  };
  for (const result of results)
    for (const { served, refused, reasons } of Object.values(result)) {
      add('200', served.length);
      add('503', refused.length);
      for (const [reason, count] of Object.entries(reasons)) add(reason, count);
    }
  return Object.entries(counts)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}

/**
 * Measures the first page of a staff list and one of the services, 60 calls a second, alone and
 * beside ten hostile searches a second of one kind; returns a table in Markdown.
 */
export async function measureHostile(
  { port, plain, hostile }: HostileStage,
  [generator, other]: readonly [LoadGenerator, LoadGenerator],
  { rounds, seconds, report }: { rounds: number; seconds: number; report(row: string): void },
): Promise<string> {
  const usual: LoadCall[] = [
    { group: 'plain', path: requests, token: plain },
    { group: 'plain', path: services, isDistinct: true },
  ];
  const plainLoad = { port, seconds, calls: usual, perSecond: plainPerSecond };
  await generator.run(plainLoad);
  const titles = [
    'hostile search',
    'alone p99 ms',
    'beside p99 ms',
    'times',
    'hostile p50 ms',
    'p99 ms',
    'replies',
  ];
  const rows: string[][] = [];
  for (const [name, path, keyword] of searches) {
    const search: LoadCall = {
      group: 'hostile',
      path: keyword === undefined ? path : `${path}&SearchKeyword=${encodeURIComponent(keyword)}`,
      token: hostile,
      isDistinct: true,
    };
    const [alone, beside, answers]: LoadResult[][] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      alone?.push(await generator.run(plainLoad));
      const [both, hostileOnes] = await Promise.all([
        generator.run(plainLoad),
        other.run({ port, seconds, calls: [search], perSecond: hostilePerSecond }),
      ]);
      beside?.push(both);
      answers?.push(hostileOnes);
    }
    const [aloneP99, besideP99] = [alone, beside].map((results) =>
      percentile(timesOf(results ?? [], 'plain'), 0.99),
    ) as [number, number];
    const taken = timesOf(answers ?? [], 'hostile');
    rows.push([
      name,
      milliseconds(aloneP99),
      milliseconds(besideP99),
      (besideP99 / aloneP99).toFixed(1),
      taken.length > 0 ? milliseconds(percentile(taken, 0.5)) : '',
      taken.length > 0 ? milliseconds(percentile(taken, 0.99)) : '',
      statusesOf(answers ?? []),
    ]);
    report(`| ${rows.at(-1)?.join(' | ')} |`);
  }
  return tableFrom([
    titles,
    titles.map((_, index) => (index === 0 || index === 6 ? '---' : '--:')),
    ...rows,
  ]);
}
