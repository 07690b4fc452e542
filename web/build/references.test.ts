import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { collectReferences, type SyntaxNode } from './references.ts';

const referencesOf = (code: string) =>
  [...collectReferences(parseAst(code, { lang: 'ts' }) as unknown as SyntaxNode)].toSorted();

it.each([
  ['a + b.c[d]', ['a', 'b', 'd']],
  ['({ a: b, [c]: d, e })', ['b', 'c', 'd', 'e']],
  ['(a, { b = c, ...d }, [e]) => [a, b, d, e, f]', ['c', 'f']],
  ['(function a(b) { const c = a(b, d); { let e; } return e + c; })', ['d', 'e']],
  ['for (const a of b) { a(); } a', ['a', 'b']],
  ['for (let i = 0; i < a; i += 1) b(i)', ['a', 'b']],
  ['try { a() } catch (error) { b(error) }', ['a', 'b']],
  ['switch (a) { case b: { const c = 1; c; } }', ['a', 'b']],
  ['(<T extends A>(a: B): a is C => (a as D).b satisfies E)', []],
  ['let a: typeof b = c as unknown as d', ['a', 'c']],
  ['class A extends B { c = d; e() { return this.f(g); } }', ['A', 'B', 'd', 'g']],
])('%s uses %j', (code, names) => {
  expect(referencesOf(code)).toEqual(names);
});
