import { useQuery } from '@tanstack/react-query';
import { getRequestsByStatusId, type RequestSummary } from '@diwan/contract/requests/requests';
import { useLanguage } from '../../lib/i18n/language.ts';
import type { SendError } from '../../lib/api/send-error.ts';
import { send } from '../../lib/api/send.ts';

const shown = 5;

/**
 * The oldest requests in some statuses. The call takes one status, so each is asked for as many as
 * are shown.
 */
export function useOldest(statusIds: readonly number[], isEnabled: boolean) {
  const { language } = useLanguage();
  return useQuery<RequestSummary[], SendError>({
    queryKey: [getRequestsByStatusId.name, language, 'oldest', statusIds],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        statusIds.map((StatusId) =>
          send(getRequestsByStatusId, {
            query: { StatusId, sortOrder: 'asc', Take: shown },
            signal,
          }),
        ),
      );
      return lists
        .flatMap(({ items }) => items)
        .sort(
          (one, other) =>
            one.createdAt.localeCompare(other.createdAt) || one.requestId - other.requestId,
        )
        .slice(0, shown);
    },
    enabled: isEnabled,
    refetchInterval: 60_000,
  });
}
