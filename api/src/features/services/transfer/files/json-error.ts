const string = '"(?:[^"\\\\\\p{Cc}]|\\\\(?:["\\\\/bfnrt]|u[\\da-f]{4}))*"';
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]?\\d+)?';
// A mark, a string, or another value.
const tokens = new RegExp(`\\s*(?:([{}[\\],:])|(${string})|${number}|true|false|null)`, 'uiy');

type State = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'after' | 'end';
type Step = State | 'open' | 'close' | 'comma' | 'done';

const values = { '{': 'open', '[': 'open', string: 'done', other: 'done' } as const;
/** What a token does in a state; a token that is missing is an error. */
const steps: Readonly<Record<State, Readonly<Record<string, Step>>>> = {
  value: values,
  valueOrEnd: { ...values, ']': 'close' },
  name: { string: 'colon' },
  nameOrEnd: { string: 'colon', '}': 'close' },
  colon: { ':': 'value' },
  after: { ',': 'comma', '}': 'close', ']': 'close' },
  end: {},
};

function follow(step: Step | undefined, token: string, open: string[]): State | undefined {
  switch (step) {
    case 'open':
      open.push(token);
      return token === '{' ? 'nameOrEnd' : 'valueOrEnd';
    case 'close':
      if ((open.pop() === '{') !== (token === '}')) return undefined;
      return open.length === 0 ? 'end' : 'after';
    case 'comma':
      return open.at(-1) === '{' ? 'name' : 'value';
    case 'done':
      return open.length === 0 ? 'end' : 'after';
    default:
      return step;
  }
}

/** Where a text stops to be JSON. Not every version of Node names the place. */
function findJsonError(text: string): number {
  const open: string[] = [];
  let state: State | undefined = 'value';
  for (let at = 0; at < text.length; at = tokens.lastIndex) {
    tokens.lastIndex = at;
    const found = tokens.exec(text);
    const [, mark, name] = found ?? [];
    const token = mark ?? (name === undefined ? 'other' : 'string');
    state = found ? follow(steps[state][token], token, open) : undefined;
    if (state === undefined)
      return at + (text.slice(at).length - text.slice(at).trimStart().length);
  }
  return text.length;
}

/** The line and the column, from 1, at which a text stops to be JSON. */
export function placeOfJsonError(text: string): { row: number; column: string } {
  const before = text.slice(0, findJsonError(text)).split('\n');
  return { row: before.length, column: String((before.at(-1)?.length ?? 0) + 1) };
}
