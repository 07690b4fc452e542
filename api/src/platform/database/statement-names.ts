import { createHash } from 'node:crypto';

// A prepared statement takes memory in each connection.
const maximumNames = 200;
const maximumSeen = 2000;

const canBePrepared = /^\s*(select|insert|update|delete|with)\b/i;
// PostgreSQL refuses a prepared statement whose columns have changed, as a migration beside a running
// process would do to a statement that returns whole rows.
const returnsWholeRows = /\.\*|\bselect\s+\*|\breturning\s+\*/i;

/**
 * Ends a statement whose plan does not depend on its values. Without it PostgreSQL plans such a statement
 * anew for each call when it expects more rows of unknown values than of known ones.
 */
export const onePlanMark = '/* one plan */';

/** A statement that a connection keeps, and whether one plan serves all its values. */
export interface PreparedStatement {
  name: string;
  hasOnePlan: boolean;
}

/** The name of a statement where a connection prepares it: `pg_prepared_statements` has it too. */
export const statementName = (text: string): string =>
  createHash('sha1').update(text).digest('base64url');

/**
 * Names the statements that are sent again, so that a connection parses and plans them once.
 * `undefined`: the statement is sent as a text.
 */
export function openStatementNames(): (text: string) => PreparedStatement | undefined {
  const names = new Map<string, PreparedStatement>();
  // Statements with lists of values have many texts, most of which are sent once.
  const seen = new Set<string>();
  return (text) => {
    const known = names.get(text);
    if (known) return known;
    if (names.size === maximumNames || !canBePrepared.test(text) || returnsWholeRows.test(text))
      return undefined;
    if (!seen.has(text)) {
      if (seen.size === maximumSeen) seen.clear();
      seen.add(text);
      return undefined;
    }
    const made = {
      name: statementName(text),
      hasOnePlan: text.includes(onePlanMark),
    };
    names.set(text, made);
    return made;
  };
}
