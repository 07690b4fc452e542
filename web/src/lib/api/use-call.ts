import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import { useLanguage } from '../i18n/language.ts';
import type { ApiError } from './api-error.ts';
import { endAfter, type InputOfCall, type UntypedInput, type SendOptions } from './fetch-call.ts';
import { send } from './send.ts';

// A page that shows old data can soon try again; a first answer may come over a slow network.
const longestRefetchMs = 10_000;
const longestFetchMs = 60_000;

interface CallOptions {
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false;
  skipErrorHandling?: boolean;
  /** Shows the last answer while another one loads, such as the next page of a list. */
  keepPrevious?: boolean;
}

/**
 * Replies contain texts in the caller's language, so the language is part of the key. `[call.name]`
 * invalidates all queries of a call.
 */
export function queryKeyOf(call: Call, language: string, input: UntypedInput): readonly unknown[] {
  return [call.name, language, input.params ?? null, input.query ?? null];
}

/** Queries a call. The old texts remain while the language changes, so that the page is stable. */
export function useCall<C extends Call>(
  call: C,
  input: InputOfCall<C> & CallOptions,
): UseQueryResult<ReplyOf<C>, ApiError> {
  const { language } = useLanguage();
  const { enabled, staleTime, refetchInterval, skipErrorHandling, keepPrevious, ...rest } = input;
  const loose = rest as UntypedInput;
  const key = queryKeyOf(call, language, loose);
  return useQuery<ReplyOf<C>, ApiError, ReplyOf<C>, readonly unknown[]>({
    queryKey: key,
    queryFn: ({ client, signal }) =>
      endAfter(
        client.getQueryData(key) === undefined ? longestFetchMs : longestRefetchMs,
        signal,
        (either) =>
          send(call, { ...(rest as unknown as InputOfCall<C>), signal: either, skipErrorHandling }),
      ),
    enabled,
    staleTime,
    refetchInterval,
    placeholderData: (previous, query) => {
      const isSameInput =
        query !== undefined &&
        JSON.stringify(query.queryKey.slice(2)) === JSON.stringify(key.slice(2));
      return (isSameInput || keepPrevious ? previous : undefined) as never;
    },
  });
}

/** Returns a function that reads a call without input again, for the pages that show it too. */
export function useReadAgain<C extends Call>(call: C): () => Promise<ReplyOf<C>> {
  const client = useQueryClient();
  const { language } = useLanguage();
  return () =>
    client.fetchQuery({
      queryKey: queryKeyOf(call, language, {}),
      queryFn: ({ signal }) => send(call, { signal } as InputOfCall<C> & SendOptions),
      staleTime: 0,
    });
}

/**
 * Sends a call that changes data: `mutate({body})`. `handleError` gets errors unless skipped. The same
 * input is not sent again while it runs: the second press of a double click comes before React shows
 * that the first one is pending.
 */
export function useAction<C extends Call>(
  call: C,
  options: SendOptions & {
    onSuccess?: (reply: ReplyOf<C>) => unknown;
    onError?: (error: ApiError) => unknown;
  } = {},
): UseMutationResult<ReplyOf<C>, ApiError, InputOfCall<C>> {
  const running = useRef(new Set<string>());
  const mutation = useMutation<ReplyOf<C>, ApiError, InputOfCall<C>>({
    mutationFn: (input) =>
      send(call, { ...input, skipErrorHandling: options.skipErrorHandling }).finally(() =>
        running.current.delete(JSON.stringify(input)),
      ),
    onSuccess: (reply) => options.onSuccess?.(reply),
    onError: (error) => options.onError?.(error),
  });
  const { mutate: start } = mutation;
  const mutate = useCallback<typeof start>(
    (...sent) => {
      const key = JSON.stringify(sent[0]);
      if (running.current.has(key)) return;
      running.current.add(key);
      start(...sent);
    },
    [start],
  );
  return { ...mutation, mutate };
}
