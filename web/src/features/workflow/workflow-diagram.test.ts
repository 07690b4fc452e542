import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { shippedWorkflowNames, type Workflow } from '@diwan/contract/requests/workflow';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { layOut, spread } from './diagram-layout.ts';
import { partsOf, type DiagramTexts } from './diagram-parts.ts';
import { WorkflowDiagram } from './workflow-diagram.tsx';

const read = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const shipped = JSON.parse(read('api/seed/workflow.json')) as Workflow;

function textsIn(language: Language): DiagramTexts {
  const texts = JSON.parse(read(`web/public/locales/${language}/workflow.json`)) as Record<
    'actions' | 'roles' | 'tones' | 'picture' | 'page',
    Record<string, string>
  >;
  return {
    action: (name) => texts.actions[name] ?? name,
    role: (name) => texts.roles[name] ?? name,
    tone: (name) => texts.tones[name] ?? name,
    withFees: texts.picture.withFees ?? '',
    sent: texts.picture.sent ?? '',
    listSeparator: language === 'en-US' ? ', ' : '، ',
    title: (texts.picture.title ?? '').replace('{{name}}', texts.page.standard ?? ''),
    description: (texts.picture.description ?? '').replace(
      '{{statuses}}',
      String(shipped.statuses.length),
    ),
  };
}

/** The diagram as in the documentation: the portal's classes as rules of a stylesheet. */
function standAlone(language: Language): string {
  const svg = renderToStaticMarkup(
    createElement(WorkflowDiagram, { workflow: shipped, texts: textsIn(language), language }),
  );
  const theme = read('web/src/ui/theme/theme.css');
  const colour = (name: string) =>
    /^\s*(#\w+);/.exec(theme.split(`--color-${name}:`)[1] ?? '')?.[1] ?? 'none';
  const used = [
    ...new Set(
      [...svg.matchAll(/class="([^"]*)"/g)].flatMap((match) => (match[1] ?? '').split(' ')),
    ),
  ]
    .filter((name) => /^(fill|stroke)-/.test(name))
    .sort();
  const rules = used.map((name) => {
    const [, part, rest] = /^(fill|stroke)-(.+)$/.exec(name) ?? [];
    return `.${name}{${part}:${colour(rest ?? '')}}`;
  });
  const style = `text{font-family:sans-serif}.font-semibold{font-weight:600}${rules.join('')}`;
  const styled = svg.replace('</title>', `</title><style>${style}</style>`);
  return `${styled.replaceAll('><', '>\n<')}\n`;
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}
const overlaps = (one: Rectangle, other: Rectangle) =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 - 0.2 &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2 - 0.2;

function findOverlaps(
  boxes: { id: number; width: number; height: number }[],
  lines: { from: number; to: number; width: number; height: number }[],
  isMirrored: boolean,
): string[] {
  const placed = layOut(boxes, lines, isMirrored);
  const all = [
    ...boxes.map((box) => ({
      ...box,
      ...(placed.boxes.get(box.id) ?? { x: 0, y: 0 }),
      name: `box ${box.id}`,
    })),
    ...lines.map((line, index) => ({
      ...line,
      ...(placed.lines[index]?.label ?? { x: 0, y: 0 }),
      name: `line ${index}`,
    })),
  ];
  const out = all
    .filter(
      ({ x, y, width, height }) =>
        x - width / 2 < 0 ||
        y - height / 2 < 0 ||
        x + width / 2 > placed.width + 0.2 ||
        y + height / 2 > placed.height + 0.2,
    )
    .map(({ name }) => `${name} is outside`);
  return [
    ...out,
    ...all.flatMap((one, index) =>
      all
        .slice(index + 1)
        .filter((other) => overlaps(one, other))
        .map((other) => `${one.name} on ${other.name}`),
    ),
  ];
}

it('knows the name of the shipped workflow', () => {
  expect(shipped.name).toBe(shippedWorkflowNames[0]);
});

describe('the diagram of a workflow', () => {
  it.each(languages)(
    'is up to date in the documentation: %s (update: npx vitest run web/src/features/workflow -u)',
    async (language) => {
      await expect(standAlone(language)).toMatchFileSnapshot(
        new URL(`../../../../docs/pictures/workflow-${language.slice(0, 2)}.svg`, import.meta.url)
          .pathname,
      );
    },
  );

  it.each(languages)('shows every status and every action once: %s', (language) => {
    const { boxes, lines } = partsOf(shipped, textsIn(language), language);
    expect(boxes.map(({ id }) => id).sort((one, other) => one - other)).toEqual(
      shipped.statuses.map(({ statusId }) => statusId),
    );
    for (const { from, to, toPay, action } of shipped.transitions) {
      if (from === null || from === to) continue;
      for (const target of toPay === undefined ? [to] : [to, toPay])
        expect(
          lines.find((line) => line.from === from && line.to === target)?.actions.join(),
        ).toContain(textsIn(language).action(action));
    }
    expect(findOverlaps(boxes, lines, language !== 'en-US')).toEqual([]);
  });

  it('is mirrored in right-to-left pages', () => {
    const { boxes, lines } = partsOf(shipped, textsIn('en-US'), 'en-US');
    const [one, other] = [layOut(boxes, lines, false), layOut(boxes, lines, true)];
    for (const [id, { x, y }] of one.boxes)
      expect(other.boxes.get(id)).toEqual({ x: expect.closeTo(one.width - x, 0), y });
  });

  it('has no overlaps for any graph', () => {
    const size = fc.record({
      width: fc.integer({ min: 20, max: 300 }),
      height: fc.integer({ min: 20, max: 120 }),
    });
    const map = fc.integer({ min: 1, max: 12 }).chain((count) =>
      fc.record({
        boxes: fc
          .array(size, { minLength: count, maxLength: count })
          .map((all) => all.map((box, id) => ({ ...box, id }))),
        lines: fc
          .uniqueArray(
            fc.record({ from: fc.nat({ max: count - 1 }), to: fc.nat({ max: count - 1 }) }),
            { maxLength: 30, selector: ({ from, to }) => `${from} ${to}` },
          )
          .chain((ties) =>
            fc.tuple(
              ...ties
                .filter(({ from, to }) => from !== to)
                .map((tie) => size.map((each) => ({ ...tie, ...each }))),
            ),
          ),
      }),
    );
    fc.assert(
      fc.property(map, fc.boolean(), ({ boxes, lines }, isMirrored) => {
        expect(findOverlaps(boxes, lines, isMirrored)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('moves positions as little as possible', () => {
    expect(spread([0, 0, 0], [0, 10, 10])).toEqual([-10, 0, 10]);
    expect(spread([0, 50, 52], [0, 10, 10])).toEqual([0, 46, 56]);
    expect(spread([], [])).toEqual([]);
  });
});
