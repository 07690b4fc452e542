import {
  nameForStaff,
  type Workflow,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import type { Language } from '@diwan/contract/wire/languages';
import type { Box, Line } from './diagram-layout.ts';

/** The texts of a diagram, in one language. */
export interface DiagramTexts {
  action: (action: string) => string;
  role: (role: string) => string;
  tone: (tone: string) => string;
  withFees: string;
  sent: string;
  listSeparator: string;
  title: string;
  description: string;
}

/** A status box: its lines of text, including actions that keep the status. */
export interface StatusBox extends Box {
  lines: string[];
  tone: string;
  isDraft: boolean;
}

/** A line with the actions and roles on its label. */
export interface ActionLine extends Line {
  actions: string[];
  roles: string[];
}

/** The id of the start, for workflows without a draft status. */
const startId = 0;

const maximumLineLength = 22;

/** Wraps a text at this many letters; a longer word gets its own line. */
function wrap(text: string, longest = maximumLineLength): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= longest)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The line height; Nastaliq needs more. */
export const lineHeightOf = (language: Language): number => (language === 'ur-PK' ? 27 : 19);

function rolesOf({ who, holderOnly }: WorkflowTransition, texts: DiagramTexts): string[] {
  const names = who.map((role) =>
    role === 'Client' || role === 'CompanyUser'
      ? 'owner'
      : role === 'Employee' && holderOnly
        ? 'holder'
        : role,
  );
  return [...new Set(names)].map(texts.role);
}

/**
 * The lines from each status: one for each target status, with all actions that lead there. The
 * action on a draft represents the initial submission.
 */
function linesOf(
  { transitions, start }: Workflow,
  texts: DiagramTexts,
  language: Language,
): ActionLine[] {
  const lines = new Map<string, { from: number; to: number; actions: string[]; roles: string[] }>();
  const add = (cell: WorkflowTransition, to: number, suffix = '') => {
    const from = cell.from ?? startId;
    if (from === to || (cell.from === null && start.draft !== undefined)) return;
    const line = lines.get(`${from} ${to}`) ?? { from, to, actions: [], roles: [] };
    line.actions = [...new Set([...line.actions, `${texts.action(cell.action)}${suffix}`])];
    line.roles = [...new Set([...line.roles, ...rolesOf(cell, texts)])];
    lines.set(`${from} ${to}`, line);
  };
  for (const cell of transitions) {
    add(cell, cell.to);
    if (cell.toPay !== undefined) add(cell, cell.toPay, ` ${texts.withFees}`);
  }
  return [...lines.values()].map((line) => {
    const roles = wrap(line.roles.join(texts.listSeparator), 24);
    const longest = Math.max(
      ...line.actions.map((text) => text.length * 7.6),
      ...roles.map((text) => text.length * 6.6),
    );
    return {
      ...line,
      roles,
      width: Math.max(64, longest + 20),
      height: (line.actions.length + roles.length) * lineHeightOf(language) + 8,
    };
  });
}

/** The boxes and lines of a workflow's diagram, with sizes estimated from the number of letters. */
export function partsOf(
  workflow: Workflow,
  texts: DiagramTexts,
  language: Language,
): { boxes: StatusBox[]; lines: ActionLine[] } {
  const { statuses, transitions, start } = workflow;
  const box = (id: number, name: string, tone: string, isDraft = false): StatusBox => {
    const stays = transitions
      .filter((cell) => cell.from === id && cell.to === id)
      .map((cell) => `↻ ${texts.action(cell.action)}`);
    const lines = [...wrap(name), ...new Set(stays)];
    return {
      id,
      lines,
      tone,
      isDraft,
      width: Math.max(
        150,
        (tone === 'start' ? 0 : texts.tone(tone).length) * 6.4 + 76,
        Math.max(...lines.map((line) => line.length)) * 8.2 + 28,
      ),
      height: (lines.length + 1) * lineHeightOf(language) + 16,
    };
  };
  const shown = statuses.map((status) =>
    box(
      status.statusId,
      nameForStaff(status)[language],
      status.tone,
      status.statusId === start.draft,
    ),
  );
  const draft = shown.filter(({ isDraft }) => isDraft);
  const boxes = [
    ...(start.draft === undefined ? [box(startId, texts.sent, 'start')] : draft),
    ...shown.filter(({ isDraft }) => !isDraft),
  ];
  return { boxes, lines: linesOf(workflow, texts, language) };
}
