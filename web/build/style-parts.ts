import { transform, type SelectorComponent } from 'lightningcss';
import { parse, type AtRule, type Container, type Rule } from 'postcss';
import type { StylePart } from '../src/server/used-styles.ts';

type Part = Omit<StylePart, 'uses'>;
type Selector = readonly SelectorComponent[];

const alwaysNeeded = [[]];

function parseSelectors(list: string): readonly Selector[] {
  let selectors: readonly Selector[] = [];
  transform({
    filename: 'selectors.css',
    code: new TextEncoder().encode(`${list}{}`),
    visitor: { Rule: { style: ({ value }) => void (selectors = value.selectors) } },
  });
  return selectors;
}

/** The selectors in the brackets of a pseudo-class. */
function selectorsIn(part: SelectorComponent): readonly Selector[] {
  const isList =
    part.type === 'pseudo-class' &&
    (part.kind === 'is' || part.kind === 'where' || part.kind === 'has' || part.kind === 'not');
  return isList ? part.selectors : [];
}

// A page is complete before anybody points at something or chooses a file.
const states = new Set(['hover', 'active', 'enabled', 'file-selector-button']);

const isForLater = (selector: Selector): boolean =>
  selector.some(
    (part) =>
      ('kind' in part && states.has(part.kind)) ||
      ('name' in part && part.name.startsWith('-webkit-date')) ||
      selectorsIn(part).some(isForLater),
  );

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** What React writes for a part of a selector: see `StylePart`. */
function wordOf(part: SelectorComponent, isRoot: boolean): string | undefined {
  if (part.type === 'class')
    return part.name.replaceAll(/[&<>"']/g, (each) => entities[each] ?? '');
  if (part.type === 'type' && !['html', 'body'].includes(part.name)) return `<${part.name}`;
  if (part.type === 'pseudo-class' && part.kind === 'disabled') return 'disabled=';
  if (part.type !== 'attribute') return undefined;
  if (!isRoot) return part.name === 'open' ? undefined : `${part.name}=`;
  return part.name === 'lang' ? `lang|=${part.operation?.value ?? ''}` : undefined;
}

/** The lists of words one of which a page has if it has an element of the selector. */
function alternativesOf(selector: Selector): readonly (readonly string[])[] {
  let alternatives: readonly (readonly string[])[] = alwaysNeeded;
  let isRoot = false;
  for (const part of selector) {
    if (part.type === 'combinator') isRoot = false;
    if (part.type === 'pseudo-class' && part.kind === 'root') isRoot = true;
    const word = wordOf(part, isRoot);
    if (word !== undefined) alternatives = alternatives.map((each) => [...each, word]);
    const inner = selectorsIn(part).flatMap(alternativesOf);
    if (inner.length > 0 && !('kind' in part && part.kind === 'not'))
      alternatives = alternatives.flatMap((each) => inner.map((other) => [...each, ...other]));
  }
  return alternatives;
}

function readRule(rule: Rule, outside: readonly string[]): Part[] {
  const selectors = parseSelectors(rule.selector).filter((selector) => !isForLater(selector));
  if (selectors.length === 0 || /url\(/.test(rule.toString())) return [];
  const when = selectors.flatMap(alternativesOf);
  const within = [...outside, rule.selector];
  const values = rule.nodes.flatMap((node) =>
    node.type === 'decl' && node.variable
      ? [{ within, when, text: node.toString(), name: node.prop }]
      : [],
  );
  const text = rule.nodes.filter((node) => !(node.type === 'decl' && node.variable)).join(';');
  return text === '' ? values : [...values, { within, when, text }];
}

/** What other parts call an animation, a registered property or a font. */
function nameOf(rule: AtRule): string {
  let name = rule.params;
  if (rule.name === 'font-face')
    rule.walkDecls('font-family', ({ value }) => {
      name = value.replaceAll(/["']/g, '');
    });
  return name;
}

// Paper, and browsers without `@property`.
const forOthers = new Set(['@media print', '@layer properties']);

function readAtRule(rule: AtRule, within: readonly string[]): Part[] {
  const prelude = `@${rule.name} ${rule.params}`;
  if (rule.nodes === undefined) return [{ within, when: alwaysNeeded, text: `${prelude};` }];
  if (forOthers.has(prelude)) return [];
  if (['media', 'supports', 'layer', 'container'].includes(rule.name))
    return readRules(rule, [...within, prelude]);
  const text = rule.toString();
  return /url\(/.test(text) ? [] : [{ within, when: alwaysNeeded, text, name: nameOf(rule) }];
}

const readRules = (container: Container, within: readonly string[]): Part[] =>
  (container.nodes ?? []).flatMap((node) => {
    if (node.type === 'rule') return readRule(node, within);
    return node.type === 'atrule' ? readAtRule(node, within) : [];
  });

/** The parts of a style sheet that first screens may need, in its order. */
export function readStyleParts(css: string): StylePart[] {
  const parts = readRules(parse(css), []);
  const names = [...new Set(parts.flatMap(({ name }) => name ?? []))].map((name) => ({
    name,
    mention: new RegExp(`(?<![\\w-])${name.replaceAll(/\W/g, '\\$&')}(?![\\w-])`),
  }));
  return parts.map((part) => ({
    ...part,
    uses: names
      .filter(({ name, mention }) => name !== part.name && mention.test(part.text))
      .map(({ name }) => name),
  }));
}
