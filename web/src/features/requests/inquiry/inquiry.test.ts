import { describe, expect, it } from 'vitest';
import { mayBeMobile } from './inquiry.data.ts';

describe('mayBeMobile', () => {
  it.each(['0501234567', '+971 50 123 4567', '٠٥٠١٢٣٤٥٦٧', '26-12345-67890'])(
    'is true for %s',
    (keyword) => expect(mayBeMobile(keyword)).toBe(true),
  );
  it.each(['DW26-12345-67890', 'dw٢٦-١٢٣٤٥-٦٧٨٩٠'])(
    'is false for the request number %s',
    (keyword) => expect(mayBeMobile(keyword)).toBe(false),
  );
});
