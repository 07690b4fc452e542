import {
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import { useLanguage } from '../i18n/language.ts';
import { send } from './send.ts';
import type { SendError } from './send-error.ts';
import type { InputOfCall, LooseInput, SendOptions } from './transmit.ts';

export interface CallOptions {
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false;
  skipErrorHandling?: boolean;
  /** Keep showing the last answer while another question, such as the next page, is on its way. */
  keepPrevious?: boolean;
}

/**
 * Replies hold texts in the caller's language, so the language is part of the key. Invalidate by
 * `[call.name]`.
 */
function keyOf(call: Call, language: string, input: LooseInput): readonly unknown[] {
  return [call.name, language, input.params ?? null, input.query ?? null];
}

/**
 * Reads what the server owns. While the language changes the old texts stay, so that nothing
 * flashes.
 */
export function useCall<C extends Call>(
  call: C,
  input: InputOfCall<C> & CallOptions,
): UseQueryResult<ReplyOf<C>, SendError> {
  const { language } = useLanguage();
  const { enabled, staleTime, refetchInterval, skipErrorHandling, keepPrevious, ...rest } = input;
  const loose = rest as LooseInput;
  const key = keyOf(call, language, loose);
  return useQuery<ReplyOf<C>, SendError, ReplyOf<C>, readonly unknown[]>({
    queryKey: key,
    queryFn: ({ signal }) =>
      send(call, { ...(rest as unknown as InputOfCall<C>), signal, skipErrorHandling }),
    enabled,
    staleTime,
    refetchInterval,
    placeholderData: (previous, query) => {
      const isSameQuestion =
        query !== undefined &&
        JSON.stringify(query.queryKey.slice(2)) === JSON.stringify(key.slice(2));
      return (isSameQuestion || keepPrevious ? previous : undefined) as never;
    },
  });
}

/** Changes something on the server: `mutate({body})`. Errors go to `handleError` unless skipped. */
export function useAction<C extends Call>(
  call: C,
  options: SendOptions & {
    onSuccess?: (reply: ReplyOf<C>) => unknown;
    onError?: (error: SendError) => unknown;
  } = {},
): UseMutationResult<ReplyOf<C>, SendError, InputOfCall<C>> {
  return useMutation<ReplyOf<C>, SendError, InputOfCall<C>>({
    mutationFn: (input) => send(call, { ...input, skipErrorHandling: options.skipErrorHandling }),
    onSuccess: (reply) => options.onSuccess?.(reply),
    onError: (error) => options.onError?.(error),
  });
}
