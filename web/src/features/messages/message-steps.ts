import type { RequestMessage } from '@diwan/contract/requests/messages';

/**
 * Groups the messages of one step of a request: the same notification through each channel to each
 * recipient.
 */
export function messageSteps(messages: readonly RequestMessage[]): RequestMessage[][] {
  const steps: RequestMessage[][] = [];
  for (const message of messages) {
    const [last] = steps.at(-1) ?? [];
    if (
      last &&
      last.action === message.action &&
      last.news === message.news &&
      last.createdAt === message.createdAt
    )
      steps.at(-1)?.push(message);
    else steps.push([message]);
  }
  return steps;
}
