import { expect, test } from 'vitest';
import { usedStyles } from '../src/server/used-styles.ts';
import { readStyleParts } from './style-parts.ts';

const page = `<p class="a md:pt-4 w-3/5 [&amp;&gt;li]:x lang:a" dir="ltr"></p>`;
const used = (css: string) => usedStyles(readStyleParts(css), page, 'ur-PK');

test.each([
  ['a class of the page', '.a{color:red}', true],
  ['an element', 'p,h1{color:red}', true],
  ['an attribute', '.a[dir=ltr],[dir]:has(h1){color:red}', true],
  ['what an element may have', 'html,*,:focus-visible,:is(h1,p) p[open]{color:red}', true],
  ['the language of the page', ':root[lang|=ur] p,:root[dir=rtl]:has(h1){color:red}', true],
  ['one of several classes', '.b,.a{color:red}', true],
  ['an escaped class', '.md\\:pt-4{top:0}.w-3\\/5{top:0}.\\[\\&\\>li\\]\\:x{top:0}', true],
  ['a text with braces', '.a:before{content:"}{\\"";top:0}', true],
  ['nested groups', '@layer base{@media (width>1px){.a{top:0}}}', true],
  [
    'what is named inside',
    '.a:is(p,h1):has([dir]),:where(.a) p,h1:is(.b,.a):not(.b),:is(p){top:0}',
    true,
  ],
  ['forced colours', '@media (forced-colors:active){.a{top:0}}', true],
  ['a picture of a field', 'p::-webkit-search-decoration{top:0}', true],
  ['an order of layers', '@layer a,b;', true],
  ['a font', '@font-face{font-family:A b}.a{font-family:A b}', true],
  ['a value', ':root{--x:"}";--y:var(--x)}p{color:var(--y)}', true],
  ['another class', '.b{color:red}', false],
  ['a group without a used rule', '@media print{.a{top:0}}@layer x{.b{top:0}}', false],
  ['another element', 'table,a p,p>a,table:has(p){color:red}', false],
  ['another attribute', 'p[lang],[data-pressed]{color:red}.a[data-pressed]{color:red}', false],
  ['a class inside', '.a:is(.b,h1),:where(.b) p,.a:has([lang]),:root:has(.b) p{top:0}', false],
  ['all of several classes', '.a.b,.a .b{top:0}', false],
  ['browsers without properties', '@layer properties{.a{top:0}}', false],
  ['another language', ':root[lang|=ar],:root[lang|=en] p,:root [lang|=ar]{color:red}', false],
  ['a font that no rule names', '@font-face{font-family:b}', false],
  ['a picture', '.a{background:url(/a.svg)}', false],
  ['what is not disabled', '.a:disabled,:disabled{color:red}', false],
  ['what needs a pointer', '.a:hover{color:red}.a:is(:where(p):active *){top:0}', false],
  ['what chooses a date', 'p::-webkit-datetime-edit{top:0}', false],
])('%s', (_, css, isKept) => {
  expect(used(css)).toBe(isKept ? css : '');
});

test('animations and properties that a kept rule names', () => {
  const named = '@keyframes spin{to{top:0}}@property --x{syntax:"*";inherits:false}';
  const rule = '.a{animation:spin 1s;left:var(--x)}';
  expect(used(`${rule}${named}@keyframes other{to{top:0}}`)).toBe(rule + named);
});

test('values that a kept rule reads, in both themes', () => {
  expect(
    used(':root{--a:var(--b);--b:1px;--c:;--d:"}"}@media (width>1px){p{--b:2px;left:var(--a)}}'),
  ).toBe(':root{--a:var(--b);--b:1px}@media (width>1px){p{--b:2px;left:var(--a)}}');
});
