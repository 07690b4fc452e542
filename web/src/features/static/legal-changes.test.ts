import { expect, it } from 'vitest';
import { listSectionChanges } from './legal-changes.ts';

const section = (id: string, text: string, title = id) => ({ id, title, text });

it('lists lines that were removed and added, by section', () => {
  const older = [
    section('use', 'One\nTwo\nThree'),
    section('law', 'Old law'),
    section('same', 'A\nB'),
  ];
  const newer = [
    section('use', 'Three\nOne\nTwo and a half'),
    section('same', 'A\nB'),
    section('new', 'Text', 'New title'),
  ];
  expect(listSectionChanges(older, newer)).toEqual([
    { title: 'use', removed: ['Two'], added: ['Two and a half'] },
    { title: 'law', removed: ['law', 'Old law'], added: [] },
    { title: 'New title', removed: [], added: ['New title', 'Text'] },
  ]);
  expect(listSectionChanges(older, older)).toEqual([]);
});
