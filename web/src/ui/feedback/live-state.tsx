import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { HubState } from '#lib/live/hub-connection.ts';

const dots: Record<HubState, string> = {
  connected: 'bg-green-600',
  connecting: 'border-2 border-ink-500',
  reconnecting: 'border-2 border-amber-800',
  disconnected: 'bg-ink-500',
};

/** Whether numbers and lists update automatically. The four states: specification §4. */
export function LiveState({ state, className }: { state: HubState; className?: string }) {
  const { t } = useTranslation('shell');
  return (
    <p
      data-no-print
      className={classNames('flex items-start gap-2 text-sm text-ink-600', className)}
    >
      <span className="flex h-lh shrink-0 items-center">
        <span aria-hidden className={classNames('size-2.5 rounded-full', dots[state])} />
      </span>
      <span>{t(`live.${state}`)}</span>
    </p>
  );
}
