/** One rule: what it applies to, its block, and whether the block holds rules. */
interface Rule {
  prelude: string;
  /** Undefined for a statement such as `@layer a, b;`. */
  block: string | undefined;
}

/** The end of the block that begins at an opening brace. */
function endOfBlock(css: string, start: number): number {
  let depth = 0;
  for (let at = start; at < css.length; at += 1) {
    const character = css[at];
    if (character === '\\') at += 1;
    else if (character === '"' || character === "'") {
      for (at += 1; at < css.length && css[at] !== character; at += 1)
        if (css[at] === '\\') at += 1;
    } else if (character === '{') depth += 1;
    else if (character === '}' && (depth -= 1) === 0) return at;
  }
  return css.length;
}

/** The index of the next brace or semicolon outside of texts, escapes and brackets. */
function endOfPrelude(css: string, start: number): number {
  let depth = 0;
  for (let at = start; at < css.length; at += 1) {
    const character = css[at] ?? '';
    if (character === '\\') at += 1;
    else if (character === '"' || character === "'") {
      for (at += 1; at < css.length && css[at] !== character; at += 1)
        if (css[at] === '\\') at += 1;
    } else if ('(['.includes(character)) depth += 1;
    else if (')]'.includes(character)) depth -= 1;
    else if (depth === 0 && (character === '{' || character === ';')) return at;
  }
  return css.length;
}

function readRules(css: string): Rule[] {
  const rules: Rule[] = [];
  for (let at = 0; at < css.length;) {
    const end = endOfPrelude(css, at);
    const prelude = css.slice(at, end).trim();
    if (css[end] !== '{') {
      if (prelude !== '') rules.push({ prelude, block: undefined });
      at = end + 1;
      continue;
    }
    const close = endOfBlock(css, end);
    rules.push({ prelude, block: css.slice(end + 1, close) });
    at = close + 1;
  }
  return rules;
}

const unescape = (name: string) =>
  name.replace(/\\(?:([\da-f]{1,6}) ?|(.))/gi, (_, hex: string | undefined, plain: string) =>
    hex === undefined ? plain : String.fromCodePoint(Number.parseInt(hex, 16)),
  );

const classesIn = (selector: string): string[] =>
  [...selector.matchAll(/\.((?:\\[\da-f]{1,6} ?|\\.|[\w-])+)/gi)].map(([, name = '']) =>
    unescape(name),
  );

// What a page shows only after something was done, or on paper.
const isForLater = (prelude: string) =>
  /:(hover|active|disabled|enabled)|^@media print/.test(prelude);

function filterRules(css: string, isUsed: (name: string) => boolean): string {
  return readRules(css)
    .map(({ prelude, block }) => {
      if (block === undefined) return `${prelude};`;
      if (isForLater(prelude)) return '';
      if (/^@(media|supports|layer|container)\b/.test(prelude)) {
        const inner = filterRules(block, isUsed);
        return inner === '' ? '' : `${prelude}{${inner}}`;
      }
      const names = prelude.startsWith('@') ? [] : classesIn(prelude);
      return names.length === 0 || names.some(isUsed) ? `${prelude}{${block}}` : '';
    })
    .join('');
}

// An animation or a property that no kept rule names.
function dropUnnamed(css: string): string {
  return readRules(css)
    .filter(({ prelude, block }) => {
      const [, name] = /^@(?:keyframes|property) ([\w-]+)/.exec(prelude) ?? [];
      if (name === undefined) return true;
      return css.replace(`${prelude}{${block}}`, '').includes(name);
    })
    .map(({ prelude, block }) => (block === undefined ? `${prelude};` : `${prelude}{${block}}`))
    .join('');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The rules of a style sheet that the first view of a page needs. */
export function usedStyles(css: string, html: string): string {
  const used = new Set<string>();
  for (const [, names = ''] of html.matchAll(/\sclass="([^"]*)"/g))
    for (const name of names.split(/\s+/))
      used.add(name.replace(/&([\w#]+);/g, (whole, entity: string) => entities[entity] ?? whole));
  return dropUnnamed(filterRules(css, (name) => used.has(name)));
}
