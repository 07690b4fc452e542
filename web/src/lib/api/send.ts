import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import { freshToken, renewToken } from './fresh-token.ts';
import { SendError } from './send-error.ts';
import {
  faultOnTheWay,
  readReply,
  transmit,
  type InputOfCall,
  type LooseInput,
  type SendOptions,
} from './transmit.ts';

/** A refused token is renewed once: the browser's clock may be behind the server's. */
async function sendWithToken(
  call: Call,
  input: LooseInput,
  options: SendOptions,
): Promise<Response> {
  const token = await freshToken();
  try {
    return await transmit(call, input, options, token);
  } catch (error) {
    if (!(error instanceof SendError) || error.status !== 401 || token === null) throw error;
    const renewed = await renewToken(token);
    if (renewed === null) throw error;
    return transmit(call, input, options, renewed);
  }
}

/** The only way to the server for JSON. Source: specification §7. Throws `SendError`. */
export async function send<C extends Call>(
  call: C,
  input: InputOfCall<C> & SendOptions,
): Promise<ReplyOf<C>> {
  const { signal, skipErrorHandling, keepalive, ...rest } = input;
  const response = await sendWithToken(call, rest as LooseInput, {
    signal,
    skipErrorHandling,
    keepalive,
  });
  return (await readReply(response, skipErrorHandling)) as ReplyOf<C>;
}

/** The content of a call that answers with a file. */
export async function sendForFile<C extends Call>(
  call: C,
  input: InputOfCall<C> & SendOptions,
): Promise<Blob> {
  const { signal, skipErrorHandling, ...rest } = input;
  const response = await sendWithToken(call, rest as LooseInput, { signal, skipErrorHandling });
  return response.blob().catch((error: unknown) => {
    throw faultOnTheWay(error, skipErrorHandling);
  });
}
