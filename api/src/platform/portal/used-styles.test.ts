import { expect, test } from 'vitest';
import { usedStyles } from './used-styles.ts';

const page = `<p class="a md:pt-4 w-3/5 [&amp;&gt;li]:x"></p>`;

test.each([
  ['a class of the page', '.a{color:red}', true],
  ['no class', 'p,:root[lang|=ur] h1{color:red}', true],
  ['one of several classes', '.b,.a{color:red}', true],
  ['an escaped class', '.md\\:pt-4{top:0}.w-3\\/5{top:0}.\\[\\&\\>li\\]\\:x{top:0}', true],
  ['a text with braces', '.a:before{content:"}{\\"";top:0}', true],
  ['nested groups', '@layer base{@media (width>1px){.a{top:0}}}', true],
  ['an order of layers', '@layer a,b;', true],
  ['a font', '@font-face{font-family:a}', true],
  ['another class', '.b{color:red}', false],
  ['a group without a used rule', '@media print{.a{top:0}}@layer x{.b{top:0}}', false],
  ['what needs a pointer', '.a:hover{color:red}.a:active{top:0}', false],
])('%s', (_, css, isKept) => {
  expect(usedStyles(css, page)).toBe(isKept ? css : '');
});

test('animations and properties that a kept rule names', () => {
  const used = '@keyframes spin{to{top:0}}@property --x{syntax:"*";inherits:false}';
  const rule = '.a{animation:spin 1s;left:var(--x)}';
  expect(usedStyles(`${rule}${used}@keyframes other{to{top:0}}`, page)).toBe(rule + used);
});
