/**
 * A part of the style sheet: a rule, or one custom property of a rule. `web/build/style-parts.ts`
 * makes them.
 */
export interface StylePart {
  /** What is around it, from outside, such as `@media (width>=48rem)` and a selector. */
  within: readonly string[];
  text: string;
  /**
   * Lists of words. A page that has no list completely has no use for the part. A class is a word as
   * HTML spells it; further words are `<p`, `dir=` and `lang|=ar` (the language of the page).
   */
  when: readonly (readonly string[])[];
  /** Of an animation, a property or a font, which is of use where another part names it. */
  name?: string;
  /** The names of other parts in its text. */
  uses: readonly string[];
}

function writeStyles(parts: readonly StylePart[]): string {
  let css = '';
  let open: readonly string[] = [];
  for (const { within, text } of parts) {
    let shared = 0;
    while (shared < open.length && open[shared] === within[shared]) shared += 1;
    const isSameRule = shared === open.length && shared === within.length;
    const opening = within.slice(shared).map((each) => `${each}{`);
    css += '}'.repeat(open.length - shared) + opening.join('');
    if (isSameRule && within.at(-1)?.startsWith('@') === false) css += ';';
    css += text;
    open = within;
  }
  return css + '}'.repeat(open.length);
}

/** The styles that the first view of a page needs. `language` is such as `ar-EG`. */
export function usedStyles(parts: readonly StylePart[], html: string, language: string): string {
  const words = new Set(html.split(/[\s">]+|(?=<)/)).add(`lang|=${language.slice(0, 2)}`);
  const onPage = parts.filter(({ when }) =>
    when.some((list) => list.every((word) => words.has(word))),
  );
  const names = new Set(onPage.flatMap(({ name, uses }) => (name === undefined ? uses : [])));
  // A set also gives what is added to it meanwhile.
  for (const used of names)
    for (const { name, uses } of onPage)
      if (name === used) for (const each of uses) names.add(each);
  return writeStyles(onPage.filter(({ name }) => name === undefined || names.has(name)));
}
