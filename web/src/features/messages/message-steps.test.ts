import { expect, test } from 'vitest';
import type { RequestMessage } from '@diwan/contract/requests/messages';
import { messageSteps } from './message-steps.ts';

const message = (
  messageId: string,
  action: RequestMessage['action'],
  createdAt: string,
): RequestMessage => ({
  messageId,
  action,
  channel: 'email',
  recipient: '',
  isOwn: true,
  language: 'en-US',
  subject: '',
  text: '',
  state: 'sent',
  createdAt,
});

test('groups the messages of one step, and keeps repeated steps apart', () => {
  const messages = [
    message('a', 'return', '3'),
    message('b', 'return', '3'),
    message('c', 'return', '2'),
    message('d', 'create', '1'),
    message('e', undefined, '1'),
  ];
  expect(messageSteps(messages).map((step) => step.map(({ messageId }) => messageId))).toEqual([
    ['a', 'b'],
    ['c'],
    ['d'],
    ['e'],
  ]);
  expect(
    messageSteps([]).concat(
      messageSteps([
        { ...message('f', undefined, '1'), news: 'refunded' },
        { ...message('g', undefined, '1'), news: 'surplus' },
      ]),
    ),
  ).toHaveLength(2);
});
