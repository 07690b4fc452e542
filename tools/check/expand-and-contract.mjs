// npm run check: a migration may not break the release before it, whose processes go on working on the
// new schema until they are replaced, and may not stop a large table. docs/operations/upgrade.md and
// docs/recipes.md, "Change a table while the product runs".

// Migrations up to this one stopped the product (CHANGELOG, "Before you upgrade").
export const lastFree = '0156-sorts-from-an-index.sql';

// They grow with the work of years: a statement over all of their rows takes minutes.
export const largeTables =
  'access_losses attachments audit_events call_answers certificates changes drafts invoices ' +
  'ledger_entries ledger_lines messages notifications payment_events payment_messages payments ' +
  'request_facts request_figures request_history request_reads requests sessions settlement_lines users';
const isLargeTable = (table) => largeTables.split(' ').includes(table);

const name = String.raw`(?:only\s+)?"?([\w.]+)"?`;
const alter = new RegExp(String.raw`^alter table (?:if exists )?${name}\s+(.*)$`, 'is');

// What an action of `alter table` breaks.
const alterRules = [
  [/^drop (?!constraint\b)/i, 'drops a column'],
  [/^rename\b/i, 'renames a column or a table'],
  [/^alter (?:column )?\S+ (?:set data )?type\b/i, 'changes the type of a column'],
  [/\bset not null\b/i, 'forbids nulls that the former release writes'],
  [/\bdrop default\b/i, 'drops a default that the former release relies on'],
  [/^add constraint\b(?!.*\bnot valid\b)/i, 'adds a constraint without “not valid”'],
  [/^add (?:unique|primary key|exclude|check|foreign key)\b/i, 'adds a constraint'],
];

const statementRules = [
  [
    /^drop (?:table|view|materialized view|type|domain|schema|function)\b/i,
    'drops what the former release uses',
  ],
  [/^create unique index\b/i, 'forbids rows that the former release writes'],
];

/** The statements of a text with the comments before them; bodies of functions stay in one. */
function readStatements(text) {
  const pieces = text.match(/--[^\n]*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|;|[^;'$-]+|[\s\S]/g);
  const statements = [];
  let current = { comments: [], text: '' };
  for (const piece of pieces ?? [])
    if (piece === ';') {
      statements.push(current);
      current = { comments: [], text: '' };
    } else if (piece.startsWith('--')) current.comments.push(piece.slice(2).trim());
    else current.text += piece;
  return [...statements, current]
    .map(({ comments, text: sql }) => ({ comments, sql: sql.replace(/\s+/g, ' ').trim() }))
    .filter(({ sql }) => sql !== '');
}

/** The actions of one `alter table`, which commas outside of brackets separate. */
function readActions(text) {
  let depth = 0;
  const actions = [''];
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions.map((action) => action.trim());
}

const addsColumn = /^add (?!constraint|unique|primary|exclude|check|foreign)(?:column )?/i;

const findRules = (rules, text) =>
  rules.filter(([pattern]) => pattern.test(text)).map(([, problem]) => [problem, 'contract']);

// A default that is the same for all rows is stored once; others are written into each row.
const writesRows = /\bstored\b|\bidentity\b|serial\b|\bdefault\s+(?!now\()\w+\(/i;

/** The name of the column that an action adds. */
const newColumn = (action) =>
  addsColumn.test(action) ? action.replace(addsColumn, '').split(' ')[0] : undefined;

// The former release does not write a column that is new.
const isOfNewColumn = (action, actions) =>
  /^add constraint\b.*\bcheck\b/i.test(action) &&
  actions.some((each) => new RegExp(`\\b${newColumn(each) ?? '-'}\\b`).test(action));

function problemsOfAction(action, table, actions) {
  if (!isLargeTable(table) && isOfNewColumn(action, actions)) return [];
  if (!addsColumn.test(action)) return findRules(alterRules, action);
  const isEmpty = !/\b(?:default|generated)\b/i.test(action);
  return [
    ...(isEmpty && /\bnot null\b/i.test(action)
      ? [['adds a column that the former release leaves empty', 'contract']]
      : []),
    ...(isLargeTable(table) && writesRows.test(action)
      ? [['writes every row of a large table anew', 'blocks']]
      : []),
  ];
}

const indexed = /^create (?:unique )?index (?:if not exists )?\S+ on (?:only )?"?(\w+)"?/i;
const changed = /^(?:with .* )?(?:update|delete from) (?:only )?"?(\w+)"?/i;

/** The problems of a statement ([problem, marker]); tables of the same migration have none. */
function problemsOfStatement(sql, created) {
  const [, altered, actions] = alter.exec(sql) ?? [];
  const index = indexed.exec(sql)?.[1];
  if (created.has(altered ?? index)) return [];
  if (altered)
    return readActions(actions).flatMap((action, _, all) => problemsOfAction(action, altered, all));
  const table = index ?? changed.exec(sql)?.[1];
  const problem = index
    ? 'stops the writing of a large table'
    : 'changes a large table in one statement';
  return [
    ...findRules(statementRules, sql),
    ...(isLargeTable(table) && !created.has(table) ? [[problem, 'blocks']] : []),
  ];
}

const markers = {
  contract: {
    pattern: /^contract (\d+\.\d+\.\d+): .{10,}/,
    asks: '-- contract <release>: <since when the old use has ended>',
  },
  blocks: {
    pattern: /^blocks for \d+ s at [\d,]+ rows: .{10,}/,
    asks: '-- blocks for <seconds> s at <rows> rows: <why it cannot be done in steps>',
  },
};

/**
 * The problems of migrations ([name, text]) for the release before them. `releases` are those of the
 * changelog: what was used by none of them any more can go.
 */
export function findContractProblems(migrations, releases) {
  return migrations
    .filter(([file]) => file > lastFree)
    .flatMap(([file, text]) => {
      const statements = readStatements(text);
      const created = new Set(
        statements.flatMap(
          ({ sql }) =>
            /^create (?:unlogged )?table (?:if not exists )?"?(\w+)"?/i.exec(sql)?.[1] ?? [],
        ),
      );
      return statements.flatMap(({ comments, sql }) =>
        problemsOfStatement(sql, created)
          .filter(([, marker]) => {
            const given = comments.flatMap((line) => markers[marker].pattern.exec(line) ?? []);
            return marker === 'contract' ? !releases.includes(given[1]) : given.length === 0;
          })
          .map(
            ([problem, marker]) =>
              `${file}: “${sql.slice(0, 60)}” ${problem}: see docs/recipes.md, “Change a table while ` +
              `the product runs”, or write before it “${markers[marker].asks}”`,
          ),
      );
    });
}

/** The releases that a changelog names. */
export const readReleases = (changelog) =>
  [...changelog.matchAll(/^## (\d+\.\d+\.\d+)\b/gm)].map(([, release]) => release);
