import { describe, expect, it } from 'vitest';
import {
  percentile,
  replaceSection,
  tableOf,
  tableOfKinds,
  type Line,
  type Measured,
} from './report.ts';

describe('report', () => {
  const measured = (rates: number[], times: number[]): Measured => ({
    rates,
    times,
    cpu: { server: 6, postgres: 3 },
    statements: 6,
    wrong: {},
    kinds: { 'by due day': times, 'a name': [...times, 40] },
  });
  const line: Line = {
    name: 'a list',
    addresses: 'distinct',
    connections: 32,
    targets: {
      product: measured([900, 1200, 1000], [1, 2, 30]),
      memory: measured([20_000], [1, 1, 1]),
      sql: measured([2000], [1, 1, 4]),
    },
  };

  it('shows the median of the runs, the share of other servers, and CPU for 1000 replies', () => {
    expect(tableOf([line]).split('\n').at(-1)).toBe(
      '| a list | distinct | 32 | 1,000 | 2.0 | 30 | 2,000 | 1,000 | 2.0 ' +
        '| 20,000 (0.05) | 2,000 | 2,000 (0.50) | 4.0 | 2,000 + 1,000 |  |',
    );
  });

  it('shows the times of each kind of call of all lines', () => {
    expect(tableOfKinds([line, line]).split('\n').slice(2)).toEqual([
      '| a name | 8 | 30 | 40 | 4.0 | 40 |',
      '| by due day | 6 | 2.0 | 30 | 1.0 | 4.0 |',
    ]);
  });

  it('finds percentiles', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99)]).toEqual([51, 100]);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it('replaces the section of one size and keeps the rest', () => {
    const document = 'a\n<!-- size S -->\nold\n<!-- end S -->\nb\n<!-- size M --><!-- end M -->';
    const replaced = replaceSection(document, 'S', 'new');
    expect(replaced).toBe(
      'a\n<!-- size S -->\n\nnew\n\n<!-- end S -->\nb\n<!-- size M --><!-- end M -->',
    );
    expect(() => replaceSection('nothing', 'S', 'new')).toThrow('no place for size S');
  });
});
