import { expect, it } from 'vitest';
import { findLegalTextIssue, readLegalText, splitLegalText } from './legal-text.ts';

it('reads paragraphs, lists, tables and links', () => {
  expect(
    readLegalText(
      'Read the [terms](/terms-and-conditions).\n\n- one\n- two\n| What | How long |\n| Drafts | 90 days |\nEnd',
    ),
  ).toEqual([
    {
      kind: 'paragraph',
      line: [{ text: 'Read the ' }, { text: 'terms', to: '/terms-and-conditions' }, { text: '.' }],
    },
    { kind: 'list', items: [[{ text: 'one' }], [{ text: 'two' }]] },
    {
      kind: 'table',
      headings: [[{ text: 'What' }], [{ text: 'How long' }]],
      rows: [[[{ text: 'Drafts' }], [{ text: '90 days' }]]],
    },
    { kind: 'paragraph', line: [{ text: 'End' }] },
  ]);
});

it('reads names that programs use', () => {
  expect(readLegalText('`draft:…` and [`x`](/y)')).toEqual([
    {
      kind: 'paragraph',
      line: [{ text: 'draft:…', isCode: true }, { text: ' and ' }, { text: '`x`', to: '/y' }],
    },
  ]);
});

it('shows a link to a script as text, and names it', () => {
  for (const to of ['javascript:alert(1)', '//other.example', 'http://plain.example', 'data:x']) {
    const text = `See [here](${to})`;
    expect(readLegalText(text)).toEqual([
      { kind: 'paragraph', line: [{ text: `See [here](${to})` }] },
    ]);
    expect(findLegalTextIssue(text)).toEqual({
      code: 'legalLink',
      params: { link: `[here](${to})` },
    });
  }
  expect(findLegalTextIssue('[a](mailto:a@b.example) [b](tel:800) [c](/x) [d](https://e.ae)')).toBe(
    undefined,
  );
});

it('begins a section at each heading', () => {
  expect(splitLegalText('First\n## Second one\na\nb\n## Third\nc')).toEqual([
    { text: 'First' },
    { title: 'Second one', text: 'a\nb' },
    { title: 'Third', text: 'c' },
  ]);
});

it('refuses an uneven table and a heading that is none', () => {
  expect(findLegalTextIssue('| a | b |\n| c |')?.code).toBe('legalTable');
  expect(findLegalTextIssue('| a | b |')?.code).toBe('legalTable');
  expect(findLegalTextIssue('# Title')?.code).toBe('legalHeading');
  expect(findLegalTextIssue('##')?.code).toBe('legalHeading');
  expect(findLegalTextIssue('Before\n## Title\n| a | b |\n| c | d |')).toBe(undefined);
});
