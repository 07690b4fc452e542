import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { getPortalReadiness, hideFirstDay, readinessOf } from '@diwan/contract/portal/readiness';
import { ReadinessItems } from './readiness-list.tsx';

/** What an administrator of an empty portal does first. It goes away when all is done, or hidden. */
export function FirstDay() {
  const { t } = useTranslation('portal');
  const id = useId();
  const client = useQueryClient();
  const { data } = useCall(getPortalReadiness, { skipErrorHandling: true });
  const hide = useAction(hideFirstDay, {
    onSuccess: () => void client.invalidateQueries({ queryKey: [getPortalReadiness.name] }),
  });
  if (!data || data.isFirstDayHidden) return null;
  const items = readinessOf('firstDay');
  const doneCount = items.filter(({ name }) => data.done.includes(name)).length;
  if (doneCount === items.length) return null;
  return (
    <section
      aria-labelledby={id}
      data-surface
      className="flex flex-col gap-3 rounded-lg border border-ink-100 bg-white p-5"
      data-no-print
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 id={id} className="text-lg">
            {t('firstDay.title')}
          </h2>
          <p className="text-ink-600">
            {t('firstDay.progress', { done: doneCount, all: items.length })}
          </p>
        </div>
        <Button
          call={hideFirstDay}
          variant="quiet"
          size="sm"
          isPending={hide.isPending}
          onPress={() => hide.mutate({ body: {} })}
        >
          {t('firstDay.hide')}
        </Button>
      </div>
      <ReadinessItems list="firstDay" done={data.done} />
    </section>
  );
}
