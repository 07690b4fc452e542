import { Ban, Check, CircleAlert, Clock3, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { Spinner } from '../../../ui/actions/spinner.tsx';
import { useBulkAction, type BulkAction } from './bulk-actions.ts';
import type { BulkResult, BulkState } from './bulk-run.ts';
import { focusWhenShown } from '../record/focus-when-shown.ts';

const looks: Record<Exclude<BulkState, 'running'>, { icon: typeof Check; style: string }> = {
  waiting: { icon: Clock3, style: 'text-ink-500' },
  done: { icon: Check, style: 'text-green-700' },
  late: { icon: Users, style: 'text-amber-800' },
  refused: { icon: Ban, style: 'text-red-700' },
  failed: { icon: CircleAlert, style: 'text-red-700' },
};

function ResultMark({ result: { state, text } }: { result: BulkResult }) {
  const { t } = useTranslation('staff');
  const { icon: Icon, style } =
    state === 'running' ? { icon: undefined, style: 'text-ink-600' } : looks[state];
  return (
    <span className={`flex items-start gap-2 text-sm font-medium ${style}`}>
      <span className="flex h-[1lh] shrink-0 items-center">
        {Icon ? <Icon aria-hidden size={18} /> : <Spinner />}
      </span>
      <span className="min-w-0">
        <span data-result={state}>{t(`bulk.states.${state}`)}</span>
        {text ? <span className="block font-normal">{text}</span> : null}
      </span>
    </span>
  );
}

interface BulkDialogProps {
  action: BulkAction;
  requests: readonly RequestSummary[];
  /** Whether anything was sent. */
  onClose: (hasBegun: boolean) => void;
}

/** Asks first, then shows how far it is and how each one ended. */
export function BulkDialog({ action, requests, onClose }: BulkDialogProps) {
  const { t } = useTranslation('staff');
  const bulk = useBulkAction(action, requests);
  const count = requests.length;
  const ended = count - bulk.left.length;
  const isOver = bulk.hasBegun && !bulk.isRunning;
  const close = () => onClose(bulk.hasBegun);
  return (
    <Dialog
      isOpen
      title={t(`bulk.${action}.title`)}
      onClose={close}
      isBusy={bulk.isRunning}
      actions={
        isOver ? (
          <>
            <Button ref={focusWhenShown} onPress={close}>
              {t('bulk.close')}
            </Button>
            {bulk.failed.length > 0 ? (
              <Button variant="secondary" onPress={bulk.retry}>
                {t('bulk.retry', { count: bulk.failed.length })}
              </Button>
            ) : null}
          </>
        ) : (
          <>
            <Button ref={focusWhenShown} isPending={bulk.isRunning} onPress={bulk.run}>
              {t(`bulk.${action}.confirm`, { count })}
            </Button>
            <Button variant="quiet" isDisabled={bulk.isRunning} onPress={close}>
              {t('bulk.cancel')}
            </Button>
          </>
        )
      }
    >
      <p className="mb-4" role="status">
        {bulk.hasBegun
          ? t('bulk.progress', { done: bulk.done.length, count })
          : t(`bulk.${action}.text`)}
      </p>
      {bulk.hasBegun ? (
        <progress
          aria-label={t(`bulk.${action}.title`)}
          max={count}
          value={ended}
          className="mb-4 block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-ink-100 [&::-moz-progress-bar]:bg-gold-600 [&::-webkit-progress-bar]:bg-ink-100 [&::-webkit-progress-value]:bg-gold-600"
        />
      ) : null}
      <ul className="divide-y divide-ink-100 border-y border-ink-100">
        {requests.map((request) => (
          <li
            key={request.requestId}
            className="grid gap-x-6 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <span className="min-w-0">
              <Reference>{request.requestNumber}</Reference>
              <span className="block text-sm text-ink-600">{request.serviceName}</span>
            </span>
            {bulk.hasBegun ? (
              <ResultMark result={bulk.resultOf(request)} />
            ) : (
              <bdi className="text-sm text-ink-600">{request.applicantName}</bdi>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
