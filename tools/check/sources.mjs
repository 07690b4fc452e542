// Rules for the text of sources: the length of lines, words that the code does not use (design §5),
// and lists of invisible characters.
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/install.mjs';
import { readFiles } from './read-files.mjs';

/** Addresses, and string literals in tests, cannot be broken. */
const maximumLineLength = 120;
const isTest = (file) => /\.test\.tsx?$|\.journey\.ts$|(^|\/)testing\/|^e2e\//.test(file);

/** Private vocabulary, with the words to use in its place. */
const forbiddenWords = {
  house: 'context, app',
  giveBack: 'returnRequest, refundDue',
  mend: 'correct',
  mended: 'corrected',
  judge: 'validate, inspect',
  told: 'notified',
  glance: 'status',
  chores: 'scheduler, periodic jobs',
  whoever: 'the user who',
  'at once': 'immediately, at the same time',
  'in place of': 'instead of',
  'known replies': 'cached replies',
  'kept reply': 'cached reply',
  'kept replies': 'cached replies',
};
const replacementOf = (word) =>
  Object.entries(forbiddenWords).find(
    ([each]) => each.toLowerCase() === word.toLowerCase().replace(/\s+/g, ' '),
  )?.[1];
const forbidden = new RegExp(
  `\\b(${Object.keys(forbiddenWords)
    .join('|')
    .replaceAll(' ', String.raw`\s+`)})\\b`,
  'i',
);

/** Files that name the words to forbid them. */
const exceptions = [
  'CHANGELOG.md',
  'tools/check/sources.mjs',
  'tools/check/portal-words.mjs',
  'tools/check/spelling-rules.mjs',
  'tools/check/checks.test.ts',
];

/** A class of a pattern that names an invisible mark. */
const markInClass = /\[[^\]'"`]*\\u(?:00AD|061C|200[BEF]|202[A-E]|206[0-9A-F]|FEFF)[^\]'"`]*\]/i;
/** Files that refuse marks, or remove them from what was written, not typed. */
const markFiles = [
  'contract/src/wire/typed-text.ts',
  'contract/src/content/text-checks.ts',
  'api/src/features/workflow/validate-workflow.ts',
  'api/src/platform/core/message-template.ts',
];

/**
 * Files of the portal that read the clock of the device, for lengths that begin and end on it. All
 * others compare with times of the server and call `serverNow` or `serverToday`: the clock of a device
 * may be hours off.
 */
const deviceClockFiles = [
  'features/requests/data/pending-actions.data.ts',
  'features/requests/live/live-counts.ts',
  'features/users/account/contact-dialog.tsx',
  'features/users/admin/counter-page.tsx',
  'features/users/fields/code-field.tsx',
  'features/users/register/register-state.ts',
  'features/users/sign-in/forgot-password-page.tsx',
  'lib/api/user-activity.ts',
  'lib/browser/server-time.ts',
  'lib/browser/toasts.ts',
  'lib/documents/document-saver.ts',
  'lib/documents/document-storage.ts',
  'lib/live/hub-connection.ts',
  'lib/live/shared-connection.ts',
  'lib/uploads/resume.ts',
  'shell/footer.tsx',
].map((file) => `web/src/${file}`);
const deviceClock = /\bDate\.now\b|\bnew Date\(\)|\btodayInDubai\b/;

/** A text in its own direction as a block, which would begin at the wrong side of the page. */
const ownDirection = /<(?:p|span|div|li|dd)\b[^>]*\bdir="auto"/;

/** The error of a call below a title that says, wrongly where nobody knows it, that nothing was done. */
const hasTitledError = (file, text) =>
  file.startsWith('web/src/') &&
  text.split(/<Alert\b/).some((part) => {
    const alert = part.split('</Alert>')[0] ?? '';
    return /tone="danger"/.test(alert) && /\btitle=\{t\(/.test(alert) && /messageOf\(/.test(alert);
  });

/** What is wrong with a line of the portal. */
function findPortalProblems(file, line) {
  if (!file.startsWith('web/src/') || isTest(file)) return [];
  const isClockOfDevice =
    !file.startsWith('web/src/gallery/') &&
    !deviceClockFiles.includes(file) &&
    deviceClock.test(line);
  return [
    ...(isClockOfDevice ? ['the clock of the device; call serverNow or serverToday'] : []),
    ...(ownDirection.test(line) ? ['a text in its own direction; use TypedText, or bdi'] : []),
  ];
}

/**
 * Sources that read the agency of a service beside requests: they move requests to it, and name what is
 * a service. Everywhere else the agency is that of the request, which stays when its service moves.
 */
const serviceAgencyFiles = [
  'drafts/drafts.store.ts',
  'reports/figure-groups.store.ts',
  'reports/reports.store.ts',
  'requests/handover/move-agencies.store.ts',
  'service-designs/service-designs.store.ts',
].map((file) => `api/src/features/${file}`);
const readsServiceAgency = (file, text) =>
  file.startsWith('api/src/') &&
  !isTest(file) &&
  !serviceAgencyFiles.includes(file) &&
  /\bservices\.agency_id\b/.test(text) &&
  /\brequests\b(?!\/)/.test(text.replace(/^import .*$/gm, ''));

/** String literals without spaces are translation keys and wire names, which stay. */
const withoutKeys = (line) => line.replace(/(['"`])[^\s'"`]*\1/g, '');

/**
 * The line of a comment between the imports. The formatter sorts imports together with the comment above
 * each, so that the comment of a file would end up anywhere.
 */
function findCommentAmongImports(lines) {
  const first = lines.findIndex((line) => line.startsWith('import '));
  if (first === -1) return undefined;
  const end = lines.findIndex(
    (line, index) => index > first && !/^(import |  |\} from |\/\/|$)/.test(line),
  );
  const head = lines.slice(0, end === -1 ? lines.length : end);
  const last = head.findLastIndex((line) => /^(import |\} from )/.test(line));
  const found = head.findIndex(
    (line, index) => index > first && index < last && /^\/\/ (?!oxlint-)/.test(line),
  );
  return found === -1 ? undefined : found + 1;
}

/** The problems of these sources: path -> text. */
export function findSourceProblems(files) {
  return [...files].flatMap(([file, text]) => {
    const lines = text.split('\n');
    const among = /\.(ts|tsx|mjs)$/.test(file) ? findCommentAmongImports(lines) : undefined;
    const misplaced =
      among === undefined
        ? []
        : [`${file}:${among}: a comment among imports; write it above them, with an empty line`];
    const found = lines.flatMap((line, index) => {
      const problems = [];
      const isLong =
        !file.endsWith('.md') && line.length > maximumLineLength && !/https?:\/\//.test(line);
      if (isLong && !(isTest(file) && /['"`]/.test(line)))
        problems.push(
          `${file}:${index + 1}: ${line.length} characters, ${maximumLineLength} at most`,
        );
      if (
        /\.tsx?$/.test(file) &&
        !isTest(file) &&
        !markFiles.includes(file) &&
        markInClass.test(line)
      )
        problems.push(
          `${file}:${index + 1}: a list of invisible marks; use withoutMarks of wire/typed-text.ts`,
        );
      problems.push(
        ...findPortalProblems(file, line).map((text) => `${file}:${index + 1}: ${text}`),
      );
      const [word] = forbidden.exec(withoutKeys(line)) ?? [];
      if (word && !exceptions.includes(file))
        problems.push(`${file}:${index + 1}: “${word}”; write ${replacementOf(word)}`);
      return problems;
    });
    const agency = readsServiceAgency(file, text)
      ? [`${file}: the agency of a service beside requests; read requests.agency_id`]
      : [];
    const titled = hasTitledError(file, text)
      ? [`${file}: an error below a title of its own; use ErrorAlert, which knows when to show it`]
      : [];
    return [...misplaced, ...found, ...agency, ...titled];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readFiles(root, ['*.ts', '*.tsx', '*.mjs', '*.css', '*.html', '*.md']);
  const problems = findSourceProblems(files);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
