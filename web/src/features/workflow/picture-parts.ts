import type { Language } from '@diwan/contract/wire/languages';
import type { Workflow, WorkflowTransition } from '@diwan/contract/requests/workflow';
import type { Box, Line } from './picture-layout.ts';

/** The words of a picture, in one language. */
export interface PictureWords {
  action: (action: string) => string;
  role: (role: string) => string;
  tone: (tone: string) => string;
  withFees: string;
  sent: string;
  listSeparator: string;
  title: string;
  description: string;
}

/** A status as it is drawn: its lines of text, and what can be done without leaving it. */
export interface StatusBox extends Box {
  lines: string[];
  tone: string;
  isDraft: boolean;
}

/** A line as it is drawn: what is done, and by whom. */
export interface ActionLine extends Line {
  actions: string[];
  roles: string[];
}

/** The point before a request is there, where no status stands for it. */
export const beginning = 0;

const longestLine = 22;

/** Text in lines of about this many letters; a longer word stands alone. */
export function wrap(text: string, longest = longestLine): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= longest)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The height of a line of text; Nastaliq needs more of it. */
export const lineHeightOf = (language: Language): number => (language === 'ur-PK' ? 27 : 19);

function rolesOf({ who, holderOnly }: WorkflowTransition, words: PictureWords): string[] {
  const names = who.map((role) =>
    role === 'Client' || role === 'CompanyUser'
      ? 'owner'
      : role === 'Employee' && holderOnly
        ? 'holder'
        : role,
  );
  return [...new Set(names)].map(words.role);
}

/**
 * What leaves a status: one line for each other status that it leads to, with all actions that do.
 * A draft's own sending stands for sending as such.
 */
function linesOf(
  { transitions, start }: Workflow,
  words: PictureWords,
  language: Language,
): ActionLine[] {
  const lines = new Map<string, { from: number; to: number; actions: string[]; roles: string[] }>();
  const add = (cell: WorkflowTransition, to: number, suffix = '') => {
    const from = cell.from ?? beginning;
    if (from === to || (cell.from === null && start.draft !== undefined)) return;
    const line = lines.get(`${from} ${to}`) ?? { from, to, actions: [], roles: [] };
    line.actions = [...new Set([...line.actions, `${words.action(cell.action)}${suffix}`])];
    line.roles = [...new Set([...line.roles, ...rolesOf(cell, words)])];
    lines.set(`${from} ${to}`, line);
  };
  for (const cell of transitions) {
    add(cell, cell.to);
    if (cell.toPay !== undefined) add(cell, cell.toPay, ` ${words.withFees}`);
  }
  return [...lines.values()].map((line) => {
    const roles = wrap(line.roles.join(words.listSeparator), 24);
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

/** The parts of a workflow's picture, measured by their letters. */
export function partsOf(
  workflow: Workflow,
  words: PictureWords,
  language: Language,
): { boxes: StatusBox[]; lines: ActionLine[] } {
  const { statuses, transitions, start } = workflow;
  const box = (id: number, name: string, tone: string, isDraft = false): StatusBox => {
    const stays = transitions
      .filter((cell) => cell.from === id && cell.to === id)
      .map((cell) => `↻ ${words.action(cell.action)}`);
    const lines = [...wrap(name), ...new Set(stays)];
    return {
      id,
      lines,
      tone,
      isDraft,
      width: Math.max(
        150,
        (tone === 'start' ? 0 : words.tone(tone).length) * 6.4 + 76,
        Math.max(...lines.map((line) => line.length)) * 8.2 + 28,
      ),
      height: (lines.length + 1) * lineHeightOf(language) + 16,
    };
  };
  const shown = statuses.map((status) =>
    box(status.statusId, status.name[language], status.tone, status.statusId === start.draft),
  );
  const draft = shown.filter(({ isDraft }) => isDraft);
  const boxes = [
    ...(start.draft === undefined ? [box(beginning, words.sent, 'start')] : draft),
    ...shown.filter(({ isDraft }) => !isDraft),
  ];
  return { boxes, lines: linesOf(workflow, words, language) };
}
