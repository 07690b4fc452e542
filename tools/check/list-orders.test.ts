// Rows of a list that are equal in its order have a different order in each statement: a page would show
// one of them twice and another one never. So the order of a list ends with what no two rows share.
import { expect, it } from 'vitest';
import { root } from '../../scripts/install.mjs';
import { readFiles } from './read-files.mjs';

/** Where rows are counted beside a page, which has none of them behind the end of its list. */
const countedPage = 'api/src/platform/database/keyword-search.ts';

/** Columns of times and of people's names, which rows share. */
const shared = /(?:^|\.)(?:at|\w+_at|\w+_on|hour|full_name)$/;

/** The last key of an order of SQL, without its direction. */
function lastKey(order: string): string {
  let depth = 0;
  let start = 0;
  for (const [at, letter] of [...order].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) start = at + 1;
  }
  return order
    .slice(start)
    .trim()
    .replace(/\s+(?:asc|desc)?\s*(?:nulls (?:first|last))?$/, '');
}

/** The text of an order up to what follows it: a limit, a lock, a bracket or the end. */
function orderFrom(text: string): { order: string; rest: string } {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    const rest = text.slice(at);
    if (depth < 0 || rest.startsWith('`') || /^\s+(?:limit|offset|for|rows|range)\b/.test(rest))
      return { order: text.slice(0, at), rest };
  }
  return { order: text, rest: '' };
}

function findProblems(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => {
    const lineOf = (at: number) => `${file}:${text.slice(0, at).split('\n').length}`;
    const counted = [...text.matchAll(/count\(\*\) over \(\)\)?::int/g)]
      .filter(() => file !== countedPage)
      .map(({ index }) => `${lineOf(index)}: use selectCountedPage of platform/database`);
    const written = [...text.matchAll(/\border by\s/g)].flatMap(({ index, 0: found }) => {
      const before = text.slice(0, index);
      // Within a line it is that of an aggregate or a window, whose equal rows have equal values.
      if (!/\n\s*$/.test(before)) return [];
      const { order, rest } = orderFrom(text.slice(index + found.length));
      // A job takes the first rows that no other one has locked.
      if (/^\s+(?:limit \S+\s+)?for (?:no key )?update/.test(rest)) return [];
      return shared.test(lastKey(order)) ? [`${lineOf(index)}: ${order.trim()}`] : [];
    });
    const built = [...text.matchAll(/(?:\s*\.orderBy\([^\n]*\))+/g)].flatMap(
      ({ index, 0: chain }) => {
        const last = /\.orderBy\('([\w.]+)'(?:, '\w+')?\)\s*$/.exec(chain)?.[1];
        const rest = text.slice(index + chain.length);
        if (/^\s*(?:\.limit\([^)]*\)\s*)?\.forUpdate/.test(rest)) return [];
        const isPage = /^\s*\.limit\([^\n]*\)\s*\.offset\(/.test(rest);
        return last !== undefined && (shared.test(last) || (isPage && !/(?:^|\.)id$/.test(last)))
          ? [`${lineOf(index + 1)}: ${chain.trim()}`]
          : [];
      },
    );
    return [...counted, ...written, ...built];
  });
}

it('the order of every list ends with what no two rows share', () => {
  const files = readFiles(root, ['api/src/*.ts']) as Map<string, string>;
  const stores = new Map([...files].filter(([file]) => !/\.test\.ts$|\/testing\//.test(file)));
  expect(stores.size).toBeGreaterThan(100);
  expect(findProblems(stores)).toEqual([]);
});

it.each([
  ['sql`\n  select id\n  from a\n  order by decided_at desc\n  limit 3`'],
  ["db.selectFrom('a')\n  .orderBy('position')\n  .limit(take)\n  .offset((page - 1) * take)"],
  ['sql`\n  select id\n  from a\n  order by rank,\n    a.created_at desc nulls last\n  limit 3`'],
  ['sql`\n  select (select b from c\n order by full_name) from a`'],
  ["db.selectFrom('a')\n  .orderBy('rank')\n  .orderBy('a.created_at', 'desc')\n  .limit(3)"],
  ['sql`select id, count(*) over ()::int as count from a`'],
])('a planted violation is found: %j', (text) => {
  expect(findProblems(new Map([['a.store.ts', text]]))).toHaveLength(1);
});

it.each([
  ['sql`\n  select id\n  from a\n  order by decided_at desc, a.id desc\n  limit 3`'],
  ['sql`\n  select id\n  from a\n  order by due_at\n  limit 1\n  for update skip locked`'],
  ['sql`select array_agg(b order by at) from a`'],
  ["db.selectFrom('a')\n  .orderBy('at')\n  .orderBy('a.id')\n  .limit(3)"],
  ["db.selectFrom('a')\n  .orderBy('publish_at')\n  .limit(1)\n  .forUpdate('a')"],
])('a right order is not: %j', (text) => {
  expect(findProblems(new Map([['a.store.ts', text]]))).toEqual([]);
});
