import { expect, it } from 'vitest';
import { companyNameForMessage, fillPlaces, hasAllPlaces, nameForMessage } from './message-fill.ts';

it.each([['سارة بنت أحمد', 'سارة بنت أحمد'], ["D'Souza-Ali", "D'Souza-Ali"], ['<b>x</b>', 'b x b'], ['evil.example/a?b=c', 'evil example a b c'], ['A'.repeat(100_000), 'A'.repeat(60)], ['\u0000\u202e\n', '']])('the name %j', (name, shown) => expect(nameForMessage(name)).toBe(shown));

it.each([['Noon.com Trading & Sons (3)', 'Noon com Trading & Sons (3)'], ['https://evil.example/pay\u202e\n', 'https evil example pay'], ['شركة العرض ذ.م.م', 'شركة العرض ذ.م.م'], ['10.0.0.1', '10 0 0 1'], ['A'.repeat(200), 'A'.repeat(120)]])('the company %j', (name, shown) => expect(companyNameForMessage(name)).toBe(shown));

it('fills each place once, and never what was filled in', () => {
  expect(fillPlaces('{{a}} {{b}} {{c}} {{a}}', { a: '{{b}}', b: '$&' })).toBe('{{b}} $&  {{b}}');
  expect([hasAllPlaces('{{a}}', { a: 'x' }), hasAllPlaces('{{a}} {{b}}', { a: 'x', b: '' }), hasAllPlaces('plain', {})]).toEqual([true, false, true]);
});
