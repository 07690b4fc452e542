// The table of actions against what the compiler cannot see: texts, keys and bodies of calls.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import {
  bulkStaffActions,
  eventOfAction,
  getAction,
  requestActions,
  staffActions,
  staffUseOf,
  undoableActions,
  type CalledAction,
} from '@diwan/contract/requests/actions';
import type { Call } from '@diwan/contract/wire/call';
import { languages } from '@diwan/contract/wire/languages';

const read = (language: string, noun: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../../web/public/locales/${language}/${noun}.json`, import.meta.url),
      'utf8',
    ),
  );

/** The keys of the texts that the table makes necessary. */
const keys = [
  ...requestActions.flatMap((action) => [
    `requests:story.${action}`,
    `request-history:steps.${action}`,
    `workflow:actions.${action}`,
    `workflow:edit.asks.${action}`,
    ...['subject', 'text', 'short'].map(
      (part) => `request-messages:events.${eventOfAction(action)}.${part}`,
    ),
  ]),
  ...staffActions.flatMap((action) => [
    `requests:actions.${action}`,
    `requests:actions.done.${action}`,
    `staff:shortcuts.request.${action}`,
    ...(staffUseOf(action).isMain === false ? [] : [`staff:comes.${action}`]),
    ...(staffUseOf(action).hasBulkKey ? [`staff:shortcuts.list.${action}`] : []),
  ]),
  ...bulkStaffActions.flatMap((action) =>
    ['title', 'text', 'confirm_other'].map((part) => `staff:bulk.${action}.${part}`),
  ),
  ...undoableActions.flatMap((action) => [
    `request-history:held.${action}`,
    `staff:held.${action}`,
  ]),
];

it.each(languages)('has every text in %s', (language) => {
  const isMissing = (key: string) => {
    const [noun = '', path = ''] = key.split(':');
    const text = path
      .split('.')
      .reduce<unknown>(
        (part, name) => (part as Record<string, unknown>)[name] ?? {},
        read(language, noun),
      );
    return typeof text !== 'string' || text === '';
  };
  expect(keys.filter(isMissing)).toEqual([]);
});

it('gives each action its own key, which nothing else on the page has', () => {
  const used = staffActions.map((action) => staffUseOf(action).key);
  const others = ['j', 'k', 'x', 'm', 'f', 'o', 'n', 'p', 'b', 'z', '[', ']', '/', '?'];
  const all = [...used, ...others];
  expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
});

it('lets exactly the calls of undoable actions ask for that', () => {
  const called = requestActions.filter((action): action is CalledAction => action !== 'pay');
  const asking = called.filter((action) => {
    const { body }: Call = actionCalls[action];
    return body !== undefined && 'shape' in body && 'isUndoable' in (body.shape as object);
  });
  expect(asking).toEqual(undoableActions);
});

it('opens each call to the roles of its action', () => {
  for (const [action, call] of Object.entries(actionCalls))
    expect(call.who).toEqual(getAction(action as CalledAction).roles);
});
