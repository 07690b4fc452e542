import axeSource from 'axe-core/axe.min.js?raw';
import snifferSource from 'html_codesniffer/build/HTMLCS.js?raw';

interface AxeWindow {
  axe: {
    run: (
      context: object,
      options: object,
    ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
}

interface SnifferWindow {
  HTMLCS: {
    process: (standard: string, content: Document | Element, done: () => void) => void;
    getMessages: () => { type: number; code: string; msg: string; element: Element }[];
  };
}

/** The rules of the journeys. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs the source of a browser library that sets a global variable, once. */
function addScript(name: string, source: string): void {
  if (name in window) return;
  const script = document.createElement('script');
  script.textContent = source;
  document.head.append(script);
}

/** Elements that fade in are measured after their animation. */
async function waitForAnimations(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(finite.map((animation) => animation.finished.catch(() => undefined)));
}

/**
 * The violations that axe finds in an element. `ignoredRules`: rules that do not apply to the page.
 */
export async function findAxeProblems(
  root: Element = document.documentElement,
  ignoredRules: readonly string[] = [],
): Promise<string[]> {
  addScript('axe', axeSource);
  await waitForAnimations();
  // axe does not measure Arabic letters (design §12), and measuring the others takes most of its time.
  const ignored = document.documentElement.lang === 'en-US' ? [] : ['color-contrast'];
  const rules = Object.fromEntries(
    [...ignoredRules, ...ignored].map((rule) => [rule, { enabled: false }]),
  );
  // The announcer of react-aria names elements that may have left the page. Rows that are about to
  // be replaced are dimmed, as disabled controls are.
  const { violations } = await (window as unknown as AxeWindow).axe.run(
    { include: [root], exclude: [['[data-live-announcer]'], ['[aria-busy=true]']] },
    { runOnly: tags, rules, resultTypes: ['violations'] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** HTML_CodeSniffer reports also what is hidden from everybody, such as the input of a file button. */
const isHidden = (element: Element) =>
  document.body.contains(element) && !element.checkVisibility({ visibilityProperty: true });

/**
 * The errors that HTML_CodeSniffer finds in an element. Unlike axe, it measures the contrast of
 * all Arabic and Urdu text (design §12).
 */
export async function findSnifferProblems(root?: Element): Promise<string[]> {
  addScript('HTMLCS', snifferSource);
  await waitForAnimations();
  const { HTMLCS } = window as unknown as SnifferWindow;
  await new Promise<void>((done) => HTMLCS.process('WCAG2AA', root ?? document, done));
  return HTMLCS.getMessages()
    .filter(({ type, element }) => type === 1 && !isHidden(element))
    .map(({ code, msg, element }) => `${code}: ${msg} ${element.outerHTML?.slice(0, 200)}`);
}
