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

/** What the elements of a page have, and its language. */
interface PageElements {
  classes: ReadonlySet<string>;
  /** The names of elements and attributes, and some words of texts. */
  names: ReadonlySet<string>;
  /** Such as `ar`. */
  language: string;
}

// What a page shows only after something was done, or on paper, or with a file, which nothing waits
// for.
const isForLater = (prelude: string, block: string) =>
  /:(hover|active|enabled)|::(?:-webkit-date|file-selector)|^@media print/.test(prelude) ||
  /^[^{]*url\(/.test(block);

/** The selectors of a list, without what is in round brackets. */
function selectorsOf(prelude: string): string[] {
  let text = prelude.replaceAll(/\\./g, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\([^()]*\)/g, '');
  }
  return text.split(',').map((each) => each.trim());
}

// Elements around a page, and what opens without a script.
const alwaysThere = new Set(['html', 'body', 'open']);

/** Whether the page has the elements and attributes that a selector names. */
function isOnPage(selector: string, { names, language }: PageElements): boolean {
  const [root = '', only = language] = /^:root(?:\[lang\|=(\w+))?[^\s>+~]*/.exec(selector) ?? [];
  const named = selector.slice(root.length).matchAll(/(?:^|[\s>+~[]|:(?=disabled))([a-z][\w-]*)/g);
  return (
    only === language &&
    [...named].every(([, name = '']) => alwaysThere.has(name) || names.has(name))
  );
}

function isUsed(prelude: string, page: PageElements): boolean {
  const classes = classesIn(prelude);
  if (classes.length > 0 && !classes.some((name) => page.classes.has(name))) return false;
  return selectorsOf(prelude).some((selector) => isOnPage(selector, page));
}

function filterRules(css: string, page: PageElements): string {
  return readRules(css)
    .map(({ prelude, block }) => {
      if (block === undefined) return `${prelude};`;
      if (isForLater(prelude, block)) return '';
      if (/^@(media|supports|layer|container)\b/.test(prelude)) {
        const inner = filterRules(block, page);
        return inner === '' ? '' : `${prelude}{${inner}}`;
      }
      return prelude.startsWith('@') || isUsed(prelude, page) ? `${prelude}{${block}}` : '';
    })
    .join('');
}

/** Drops values that no kept rule reads, among them most colours of both themes. */
function dropUnread(css: string): string {
  const read = new Set([...css.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name));
  const kept = css.replaceAll(
    /(?<=[{;])(--[\w-]+):(?:"[^"]*"|[^;{}"])*;?/g,
    (declaration, name: string) => (read.has(name) ? declaration : ''),
  );
  return kept === css ? css : dropUnread(kept);
}

const write = ({ prelude, block }: Rule) =>
  block === undefined ? `${prelude};` : `${prelude}{${block}}`;

function nameOf({ prelude, block = '' }: Rule): string | undefined {
  const [, name] = prelude.startsWith('@font-face')
    ? (/font-family:"?([^;"]+)/.exec(block) ?? [])
    : (/^@(?:keyframes|property) ([\w-]+)/.exec(prelude) ?? []);
  return name;
}

/** Drops animations, properties and fonts that no kept rule names. */
function dropUnnamed(css: string): string {
  const rules = readRules(css);
  const others = rules
    .filter((rule) => nameOf(rule) === undefined)
    .map(write)
    .join('');
  return rules
    .filter((rule) => others.includes(nameOf(rule) ?? ''))
    .map(write)
    .join('');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The rules of a style sheet that the first view of a page needs. `language` is such as `ar-EG`. */
export function usedStyles(css: string, html: string, language: string): string {
  const classes = new Set<string>();
  for (const [, list = ''] of html.matchAll(/\sclass="([^"]*)"/g))
    for (const name of list.split(/\s+/))
      classes.add(
        name.replace(/&([\w#]+);/g, (whole, entity: string) => entities[entity] ?? whole),
      );
  const unclassed = html.replaceAll(/\sclass="[^"]*"/g, '');
  const names = new Set(
    [...unclassed.matchAll(/[<\s]([a-z][\w-]*)/g)].map(([, name = '']) => name),
  );
  const page = { classes, names, language: language.slice(0, 2) };
  return dropUnnamed(dropUnread(filterRules(css, page)));
}
