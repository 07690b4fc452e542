import type { Plugin } from 'vite';

/** What React asks of the browser, by file, and what every browser of the last years answers. */
const answers: readonly [file: RegExp, question: string, answer: 'true' | 'false'][] = [
  [/\/react(-dom-client)?\.production\.js$/, '"function" === typeof reportError', 'true'],
  [/\/react-dom-client\.production\.js$/, '"function" === typeof queueMicrotask', 'true'],
  [/\/scheduler\.production\.js$/, '"function" === typeof localSetImmediate', 'false'],
  [/\/scheduler\.production\.js$/, '"undefined" !== typeof MessageChannel', 'true'],
];

/**
 * Leaves out what React does in browsers that know less than those of the portal: 0.3 kB of each
 * first visit. A build fails when React asks no longer.
 */
export function currentBrowsers(): Plugin {
  return {
    name: 'current-browsers',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    transform: {
      filter: { id: /\/(react|react-dom-client|scheduler)\.production\.js$/ },
      handler(code, id) {
        let changed = code;
        for (const [, question, answer] of answers.filter(([file]) => file.test(id))) {
          if (!changed.includes(question)) throw new Error(`${id} does not ask ${question}`);
          changed = changed.replaceAll(question, answer);
        }
        return { code: changed, map: null };
      },
    },
  };
}
