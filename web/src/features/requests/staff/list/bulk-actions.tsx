import { X, Ban, Check, CircleAlert, Clock3, Users } from 'lucide-react';
import { useState } from 'react';
import { toReasonChoices, useReasons } from '#features/requests/data/requests.data.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button, Spinner } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getColleagues } from '@diwan/contract/processing/assignments';
import { staffUseOf } from '@diwan/contract/requests/actions';
import { maximumBulkRequests } from '@diwan/contract/requests/request-actions';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { languages } from '@diwan/contract/wire/languages';
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx';
import { actionKeys } from '../shortcuts/shortcut-keys.ts';
import {
  asksFor,
  bulkActions,
  requestsAllowing,
  useBulkAction,
  type BulkAction,
  type BulkInput,
  type BulkResult,
  type BulkState,
} from './bulk-run.ts';
import { focusOnMount } from './focus-on-mount.ts';

const keyOf = (action: BulkAction) =>
  action !== 'reassign' && staffUseOf(action).hasBulkKey ? actionKeys[action] : undefined;
const isDangerous = (action: BulkAction) =>
  action !== 'reassign' && staffUseOf(action).look === 'danger';

interface StaffBulkBarProps {
  selected: readonly RequestSummary[];
  onAct: (action: BulkAction) => void;
  onClear: () => void;
}

/** Why requests are left out, each reason once: who holds them, or their status. */
function useLeftOutReasons(leftOut: readonly RequestSummary[]): string[] {
  const { t } = useTranslation('staff');
  return [
    ...new Set(
      leftOut.map(({ holder, statusName, statusTone }) =>
        holder && !holder.isYou && statusTone === 'progress'
          ? t('bulk.heldBy', { name: `\u2068${holder.name}\u2069` })
          : t('bulk.inStatus', { status: statusName }),
      ),
    ),
  ];
}

/** The actions for the selected rows, in a bar at the bottom. */
export function StaffBulkBar({ selected, onAct, onClear }: StaffBulkBarProps) {
  const { t } = useTranslation(['staff', 'shell']);
  const possible = new Set(bulkActions.flatMap((action) => requestsAllowing(action, selected)));
  const leftOut = selected.filter((request) => !possible.has(request));
  const reasons = useLeftOutReasons(leftOut);
  return (
    <section
      data-no-print
      aria-label={t('bulk.bar')}
      className={classNames(
        'sticky bottom-0 z-20 mt-6 flex flex-wrap items-center gap-2 rounded-t-lg border',
        'border-b-0 border-ink-200 bg-white px-4 py-3 shadow-soft md:gap-3',
      )}
    >
      <p role="status" className="me-auto font-semibold">
        <span>{t('bulk.selected', { count: selected.length })}</span>
        {leftOut.length > 0 ? (
          <span className="block text-sm font-normal text-ink-600">
            <span>{t('bulk.leftOut', { count: leftOut.length })}</span>{' '}
            <span>{reasons.join(t('shell:listSeparator'))}</span>
          </span>
        ) : null}
      </p>
      {bulkActions.map((action, index) => {
        const count = requestsAllowing(action, selected).length;
        if (count === 0) return null;
        const key = keyOf(action);
        return (
          <Button
            key={action}
            variant={index === 0 ? 'primary' : isDangerous(action) ? 'danger' : 'secondary'}
            size="sm"
            aria-keyshortcuts={key}
            onPress={() => onAct(action)}
          >
            <span>{t(`bulk.${action}.confirm`, { count })}</span>
            {key ? <ShortcutHint of={key} /> : null}
          </Button>
        );
      })}
      <Button
        variant="quiet"
        size="sm"
        isIconOnPhone
        icon={<X aria-hidden size={18} />}
        onPress={onClear}
      >
        {t('bulk.clear')}
      </Button>
    </section>
  );
}

const stateStyles: Record<Exclude<BulkState, 'running'>, { icon: typeof Check; style: string }> = {
  waiting: { icon: Clock3, style: 'text-ink-500' },
  done: { icon: Check, style: 'text-green-700' },
  late: { icon: Users, style: 'text-amber-800' },
  refused: { icon: Ban, style: 'text-red-700' },
  failed: { icon: CircleAlert, style: 'text-red-700' },
  unclear: { icon: CircleAlert, style: 'text-amber-800' },
};

function ResultMark({ result: { state, text } }: { result: BulkResult }) {
  const { t } = useTranslation('staff');
  const { icon: Icon, style } =
    state === 'running' ? { icon: undefined, style: 'text-ink-600' } : stateStyles[state];
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

interface BulkInputFieldProps {
  action: BulkAction;
  requests: readonly RequestSummary[];
  input: BulkInput;
  onChange: (input: BulkInput) => void;
}

/** The colleague or the stock reason that an action asks for. */
function BulkInputField({ action, requests, input, onChange }: BulkInputFieldProps) {
  const { t } = useTranslation('staff');
  const { language } = useLanguage();
  const asked = asksFor(action);
  const colleagues = useCall(getColleagues, {
    query: { RequestIds: requests.map(({ requestId }) => requestId).join(',') },
    enabled: asked === 'holderId',
    staleTime: 60_000,
  });
  const reasons = useReasons(
    requests.map(({ requestId }) => requestId),
    asked === 'reason',
  );
  if (asked === 'holderId')
    return (
      <ComboField
        label={t('bulk.colleague')}
        value={input.holderId}
        onChange={(holderId) => onChange({ ...input, holderId })}
        choices={(colleagues.data ?? []).map(({ userId, name }) => ({
          value: userId,
          label: name,
        }))}
      />
    );
  if (asked !== 'reason') return null;
  const { reason } = input;
  return (
    <>
      <SelectField
        label={t('bulk.reason')}
        description={t('bulk.reasonHint')}
        value={reason ? String(reason.id) : ''}
        onChange={(id) =>
          onChange({ ...input, reason: reasons.data?.find((each) => String(each.id) === id) })
        }
        choices={toReasonChoices(reasons.data)}
      />
      {reason ? (
        <ul className="mt-2 text-sm text-ink-600">
          {languages
            .filter((each) => each !== language)
            .map((each) => (
              <li key={each} lang={each}>
                <bdi>{reason.names[each]}</bdi>
              </li>
            ))}
        </ul>
      ) : null}
    </>
  );
}

interface BulkDialogProps {
  action: BulkAction;
  requests: readonly RequestSummary[];
  onClose: (hasStarted: boolean) => void;
}

/** Asks for confirmation, then shows the progress and the result of each request. */
export function BulkDialog({ action, requests, onClose }: BulkDialogProps) {
  const { t } = useTranslation('staff');
  const [input, setInput] = useState<BulkInput>({ holderId: '', reason: undefined });
  const bulk = useBulkAction(action, requests, input);
  const asked = asksFor(action);
  const count = requests.length;
  const isReady = count <= maximumBulkRequests && (asked === undefined || Boolean(input[asked]));
  const ended = count - bulk.left.length;
  const isOver = bulk.hasStarted && !bulk.isRunning;
  const close = () => onClose(bulk.hasStarted);
  return (
    <Dialog
      isOpen
      title={t(`bulk.${action}.title`)}
      onClose={close}
      isBusy={bulk.isRunning}
      actions={
        isOver ? (
          <>
            <Button ref={focusOnMount} onPress={close}>
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
            <Button
              ref={asked ? undefined : focusOnMount}
              variant={isDangerous(action) ? 'danger' : 'primary'}
              isPending={bulk.isRunning}
              isDisabled={!isReady}
              onPress={bulk.run}
            >
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
        {bulk.hasStarted
          ? t('bulk.progress', { done: bulk.done.length, count })
          : t(`bulk.${action}.text`)}
      </p>
      {count > maximumBulkRequests ? (
        <div className="mb-4">
          <Alert tone="warning">{t('bulk.limit', { number: maximumBulkRequests })}</Alert>
        </div>
      ) : bulk.hasStarted || !asked ? null : (
        <div className="mb-4">
          <BulkInputField action={action} requests={requests} input={input} onChange={setInput} />
        </div>
      )}
      {bulk.hasStarted ? (
        <div className="mb-4">
          <ProgressBar label={t(`bulk.${action}.title`)} value={ended} max={count} />
        </div>
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
            {bulk.hasStarted ? (
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
