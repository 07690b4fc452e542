import { ChevronDown, ChevronUp } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { classNames } from '../../../lib/browser/class-names.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useSettled } from '../../../lib/browser/use-settled.ts';
import { Button } from '../../../ui/actions/button.tsx';
import type { ButtonVariant } from '../../../ui/actions/button-style.ts';
import { ActionProblem } from '../record/action-problem.tsx';
import { useBackToList } from './back-to-list.ts';
import { CompleteDialog } from './complete-dialog.tsx';
import type { useActionDrafts } from './kept-action-drafts.ts';
import { NextRequestButton } from './next-request-button.tsx';
import { OptionsDialog } from './options-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import {
  dialogActions,
  optionActions,
  plainActions,
  usePlainActions,
  type DialogAction,
  type PlainAction,
} from '../data/request-actions.data.ts';
import { ReturnDialog } from '../mending/return-dialog.tsx';
import { ShortcutHint } from './shortcut-hint.tsx';
import type { ShortcutKey } from './shortcut-keys.ts';
import { useNextRequest } from './use-next-request.ts';
import { useShortcuts } from './use-shortcuts.ts';

interface StaffActionsProps {
  record: RequestRecord;
  list: string;
  /** What was typed into its dialogs, and flagged on the page. */
  kept: ReturnType<typeof useActionDrafts>;
  reload: () => Promise<RequestRecord | undefined>;
}

type StaffAction = PlainAction | DialogAction;

const order: readonly StaffAction[] = [
  'receive',
  'accept',
  'approve',
  'submitted',
  'return',
  'release',
  'reject',
];
const keys: Record<StaffAction, ShortcutKey> = {
  receive: 'e',
  accept: 'a',
  approve: 'a',
  submitted: 'c',
  return: 'r',
  release: 'l',
  reject: 'd',
};
const dialogs = {
  return: ReturnDialog,
  reject: RejectDialog,
  submitted: CompleteDialog,
  approve: OptionsDialog,
  accept: OptionsDialog,
};

function variantOf(action: StaffAction, index: number): ButtonVariant {
  if (action === 'reject') return 'danger';
  if (action === 'release') return 'quiet';
  return index === 0 && action !== 'return' ? 'primary' : 'secondary';
}

const isPlain = (action: StaffAction): action is PlainAction =>
  plainActions.some((each) => each === action);

/**
 * The actions allowed now, always at the same place, each with its key. A dialog stays open, with
 * what was typed, even when its action is gone.
 */
export function StaffActions({ record, list, kept, reload }: StaffActionsProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const plain = usePlainActions(record);
  const next = useNextRequest(record.requestNumber, list);
  const backToList = useBackToList(list);
  const { drafts, change, clear } = kept;
  const [open, setOpen] = useState<DialogAction>();
  const [isExpanded, setIsExpanded] = useState(false);
  const allowed = order.filter((action) => record.allowedActions.includes(action));
  const done = (action: StaffAction) => () => {
    setOpen(undefined);
    clear();
    setIsExpanded(false);
    showToast(t(`actions.done.${action}`), 'success');
  };
  const begin = (action: StaffAction) => {
    if (plain.pending !== undefined) return;
    if (isPlain(action)) plain.run(action, done(action));
    else setOpen(dialogActions.find((each) => each === action));
  };
  const byKey = Object.fromEntries(allowed.map((action) => [keys[action], () => begin(action)]));
  const options = optionActions.find((action) => allowed.includes(action));
  const openOptions = () => {
    if (plain.pending === undefined) setOpen(options);
  };
  useShortcuts({ ...byKey, o: options && openOptions, n: next.go, p: next.goBack, b: backToList });
  const reloadRecord = async () => {
    await reload();
    plain.reset();
  };
  // Receiving brings approving to the same place.
  const isSettled = useSettled(allowed.join(' '));
  // So many that there is no room for keys but in the widest windows.
  const isTight = allowed.length > 4;
  const place = isExpanded ? 'max-lg:order-last max-lg:w-[calc(50%-4px)]' : 'max-lg:hidden';
  const DialogOf = open ? dialogs[open] : undefined;
  return (
    <>
      <section
        data-no-print
        aria-label={t('staff.bar')}
        className="sticky bottom-0 z-10 border-t border-ink-200 bg-white shadow-soft"
      >
        <div
          className={classNames(
            'page flex 2xl:max-w-[100rem]! flex-col gap-3 py-3',
            !isSettled && 'pointer-events-none',
          )}
        >
          <ActionProblem error={plain.error} onReload={reloadRecord} />
          <div className="flex flex-wrap items-center gap-2 md:gap-3">
            {allowed.map((action, index) => (
              <Fragment key={action}>
                <div className={index === 0 ? 'max-lg:grow' : place}>
                  <Button
                    variant={variantOf(action, index)}
                    isFullWidth
                    isPending={plain.pending === action}
                    isDisabled={plain.pending !== undefined && plain.pending !== action}
                    focusIds={[action]}
                    aria-keyshortcuts={keys[action]}
                    onPress={() => begin(action)}
                  >
                    {t(`actions.${action}`)}
                    <ShortcutHint of={keys[action]} isTight={isTight} />
                  </Button>
                </div>
                {action === options ? (
                  <div className={place}>
                    <Button
                      variant="secondary"
                      isFullWidth
                      isDisabled={plain.pending !== undefined}
                      focusIds={['options']}
                      aria-keyshortcuts="o"
                      aria-label={t(`staff:options.${options}.open`)}
                      onPress={openOptions}
                    >
                      {t('staff:options.short')}
                      <ShortcutHint of="o" isTight={isTight} />
                    </Button>
                  </div>
                ) : null}
              </Fragment>
            ))}
            {allowed.length > 1 ? (
              <div className="lg:hidden">
                <Button
                  variant="secondary"
                  aria-expanded={isExpanded}
                  icon={
                    isExpanded ? (
                      <ChevronDown aria-hidden size={18} />
                    ) : (
                      <ChevronUp aria-hidden size={18} />
                    )
                  }
                  onPress={() => setIsExpanded(!isExpanded)}
                >
                  {t('actions.more')}
                </Button>
              </div>
            ) : null}
            <NextRequestButton
              isAtEnd={next.isAtEnd}
              isLooking={next.isLooking}
              isMain={allowed.length === 0}
              isTight={isTight}
              onNext={() => void next.go()}
              onPrevious={next.goBack}
              onBack={backToList}
            />
          </div>
        </div>
      </section>
      {open && DialogOf ? (
        <DialogOf
          action={open}
          record={record}
          reload={reload}
          draft={drafts[open]}
          onDraft={(changed) => change(open, changed)}
          onClose={() => setOpen(undefined)}
          onDone={done(open)}
        />
      ) : null}
    </>
  );
}
