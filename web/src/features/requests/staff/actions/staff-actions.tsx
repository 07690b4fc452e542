import { ChevronDown, ChevronUp } from 'lucide-react';
import {
  Fragment,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentType,
  type RefObject,
} from 'react';
import { usePlainActions } from '#features/requests/data/request-actions.data.ts';
import { isQuarantined } from '#features/requests/documents/scan-status.tsx';
import { ActionError } from '#features/requests/record/action-error.tsx';
import { classNames } from '#lib/browser/class-names.ts';
import { useDebouncedInteractivity } from '#lib/browser/interaction.ts';
import { useMediaQuery } from '#lib/browser/media.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button, type ButtonSize, type ButtonVariant } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import {
  getAction,
  optionActions,
  plainActions,
  staffUseOf,
  type OptionAction,
  type PlainAction,
  type StaffAction,
} from '@diwan/contract/requests/actions';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx';
import { actionKeys } from '../shortcuts/shortcut-keys.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import type { ActionDialogProps } from './action-dialog.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { claimedDiscounts } from './discount-fields.tsx';
import { RefuseObjectionDialog, RefuseWithdrawalDialog } from './explain-dialogs.tsx';
import { HoldDialog } from './hold-dialog.tsx';
import { NextRequest, useNextRequest } from './next-request.tsx';
import { OptionsDialog } from './options-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { ReturnDialog } from './return-dialog.tsx';
import {
  storeSentDrafts,
  restoreSentDrafts,
  type useActionDrafts,
} from './stored-action-drafts.ts';
import { sayInBar, UndoBar } from './undo-bar.tsx';

interface StaffActionsProps {
  record: RequestRecord;
  list: string;
  /** The input of the dialogs, and the marks that were set on the page. */
  actionDrafts: ReturnType<typeof useActionDrafts>;
  reload: () => Promise<RequestRecord | undefined>;
}

type ActionDialog = ComponentType<ActionDialogProps>;

/** The actions in the order of the bar, each with its dialog. Only one that is plain needs none. */
const dialogs: {
  [A in StaffAction]: A extends PlainAction ? ActionDialog | undefined : ActionDialog;
} = {
  receive: undefined,
  accept: OptionsDialog,
  approve: OptionsDialog,
  submitted: CompleteDialog,
  resume: undefined,
  grantWithdrawal: undefined,
  refuseWithdrawal: RefuseWithdrawalDialog,
  grantObjection: undefined,
  refuseObjection: RefuseObjectionDialog,
  return: ReturnDialog,
  hold: HoldDialog,
  release: undefined,
  reject: RejectDialog,
};
const order = (Object.keys(dialogs) as StaffAction[]).map((action) => ({
  action,
  ...staffUseOf(action),
  key: actionKeys[action],
}));
type BarItem = (typeof order)[number];

/** Among the unfolded actions of a phone each has a frame. */
const variantOf = ({ look }: BarItem, index: number, isExpanded: boolean): ButtonVariant =>
  look !== undefined && !(isExpanded && look === 'quiet')
    ? look
    : index === 0
      ? 'primary'
      : 'secondary';

/** How a phone shows the next request beside this number of actions. */
function nextOnPhone(actions: number, isExpanded: boolean): 'arrow' | 'labelled' | 'hidden' {
  if (actions <= 1) return 'arrow';
  return isExpanded ? 'labelled' : 'hidden';
}

/** Calls back when the user presses outside of the element. */
function usePressOutside(onPress: (() => void) | undefined): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  const press = useEffectEvent(() => onPress?.());
  const isListening = onPress !== undefined;
  useEffect(() => {
    if (!isListening) return;
    const check = ({ target }: Event) => {
      if (!element.current?.contains(target as Node)) press();
    };
    document.addEventListener('pointerdown', check);
    return () => document.removeEventListener('pointerdown', check);
  }, [isListening]);
  return element;
}

/**
 * Asks once more before an action that grants something while documents are not viewed; the same for
 * the mouse and for keys.
 */
function useUnviewedWarning({ attachments }: RequestRecord) {
  const [question, setQuestion] = useState<'open' | 'answered'>();
  const unviewed = attachments.filter(
    (each) => !each.isResult && !each.isViewed && !isQuarantined(each),
  ).length;
  const isStopped = (action: StaffAction) => {
    if (question !== undefined || unviewed === 0 || !getAction(action).isGranting) {
      setQuestion(question && 'answered');
      return false;
    }
    setQuestion('open');
    return true;
  };
  return { unviewed, isWarned: question === 'open' && unviewed > 0, isStopped };
}

/**
 * How an action begins: it is sent, or its dialog opens. Either waits for the warning about documents
 * that are not viewed.
 */
function useActionStart(
  record: RequestRecord,
  onDone: (action: StaffAction) => (reply: RequestRecord) => void,
) {
  const plain = usePlainActions(record);
  const [open, setOpen] = useState<StaffAction>();
  const { unviewed, isWarned, isStopped } = useUnviewedWarning(record);
  const canStart = (action: StaffAction) => plain.pending === undefined && !isStopped(action);
  const finish = (action: StaffAction) => (reply: RequestRecord) => {
    setOpen(undefined);
    onDone(action)(reply);
  };
  return {
    plain,
    open,
    close: () => setOpen(undefined),
    finish,
    unviewed,
    isWarned,
    start: (action: StaffAction) => {
      if (!canStart(action)) return;
      // A claimed discount is decided in the dialog, and required inputs are given there.
      const option = optionActions.find((each) => each === action);
      const plainAction = plainActions.find((each) => each === action);
      if (option && claimedDiscounts(record).length > 0) setOpen(option);
      else if (plainAction && !record.requiredInputs[action])
        plain.run(plainAction, finish(action));
      else if (dialogs[action]) setOpen(action);
    },
    startWithOptions: (action: OptionAction) => {
      if (canStart(action)) setOpen(action);
    },
  };
}

/**
 * The allowed actions in a bar at the bottom, each with its shortcut. A dialog stays open with its
 * input even when its action is no longer allowed.
 */
export function StaffActions({ record, list, actionDrafts, reload }: StaffActionsProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const next = useNextRequest(record.requestNumber, list);
  const { drafts, change, clear, replace } = actionDrafts;
  const [isExpanded, setIsExpanded] = useState(false);
  const action = useActionStart(record, (name) => (reply) => {
    clear();
    setIsExpanded(false);
    if (!reply.heldAction) return sayInBar(t(`actions.done.${name}`));
    sayInBar('');
    storeSentDrafts(reply.requestId, drafts);
    if (next.opensByItself && next.isFromList) void next.openNext();
  });
  const { plain, open, unviewed, isWarned } = action;
  const showUndone = ({ requestId, requestNumber }: RequestRecord) => {
    const sent = restoreSentDrafts(requestId);
    if (sent && requestId === record.requestId) replace(sent);
    // The next request may be opening already, so that this one is opened in any case.
    void next.open(requestNumber);
  };
  const allowed = order.filter((item) => record.allowedActions.includes(item.action));
  const main = allowed.find(({ isMain }) => isMain !== false);
  const options = optionActions.find((name) => record.allowedActions.includes(name));
  // After receiving, the approve button appears where the receive button was, and after an approval the
  // next request appears. The second press of a double click or of a key must not act on it.
  const isSettled = useDebouncedInteractivity(
    `${allowed.map((item) => item.action).join(' ')} ${isWarned}`,
  );
  const byKey = Object.fromEntries(
    order.map((item) => [
      item.key,
      allowed.includes(item) ? () => action.start(item.action) : undefined,
    ]),
  );
  useShortcuts(
    { ...byKey, o: options && (() => action.startWithOptions(options)) },
    isSettled && !next.isSearching,
  );
  useShortcuts({ n: next.openNext, p: next.openPrevious, b: next.backToList });
  const reloadRecord = async () => {
    await reload();
    plain.reset();
  };
  const isWide = useMediaQuery('(min-width: 64rem)');
  const size = isWide ? 'sm' : 'md';
  const DialogOf = open ? dialogs[open] : undefined;
  // Who goes on reading has the whole screen for it.
  const bar = usePressOutside(isExpanded && !open ? () => setIsExpanded(false) : undefined);
  return (
    <>
      <section
        ref={bar}
        data-no-print
        aria-label={t('staff.bar')}
        className="sticky bottom-0 z-10 border-t border-ink-200 bg-white shadow-soft [@media(height<31.25rem)]:static"
      >
        <UndoBar list={list} onUndone={showUndone} />
        <div
          data-settled={isSettled}
          className={classNames(
            'page flex xl:max-w-[100rem]! flex-col gap-2 py-3 lg:py-2',
            !isSettled && 'pointer-events-none',
          )}
        >
          <ActionError error={plain.error} onReload={reloadRecord} />
          {isWarned ? (
            <div data-unviewed={unviewed}>
              <Alert tone="warning" isLive>
                {t('staff:unviewed', { count: unviewed })}
              </Alert>
            </div>
          ) : null}
          <div className="flex flex-wrap items-stretch gap-2 md:gap-x-3 lg:items-center">
            <p className="order-first grow text-sm text-ink-600 max-lg:hidden">
              {main ? t(`staff:comes.${main.action}`) : null}
            </p>
            <ActionButtons
              allowed={allowed}
              action={action}
              options={options}
              hasFee={options !== undefined && record.chargingActions.includes(options)}
              size={size}
              isExpanded={isExpanded}
            />
            {allowed.length > 1 ? (
              <MoreActionsButton isExpanded={isExpanded} onExpand={setIsExpanded} />
            ) : null}
            <NextRequest
              next={next}
              isMain={allowed.length === 0}
              size={size}
              onPhone={nextOnPhone(allowed.length, isExpanded)}
            />
            <span className="order-first h-0 basis-full max-lg:hidden" />
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
          onClose={action.close}
          onDone={action.finish(open)}
        />
      ) : null}
    </>
  );
}

interface ActionButtonsProps {
  allowed: readonly BarItem[];
  action: ReturnType<typeof useActionStart>;
  /** The action that can also be started with options. */
  options: OptionAction | undefined;
  /** Whether the options add a fee. */
  hasFee: boolean;
  size: ButtonSize;
  /** On a phone all but the first are hidden until the user asks for them. */
  isExpanded: boolean;
}

/** A button for each allowed action; the one with options has a second button. */
function ActionButtons({
  allowed,
  action: { plain, start, startWithOptions },
  options,
  hasFee,
  size,
  isExpanded,
}: ActionButtonsProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const secondaryStyle = isExpanded
    ? 'max-lg:order-last max-lg:w-[calc(50%-4px)] max-lg:[&>button]:h-full'
    : 'max-lg:hidden';
  return allowed.map((item, index) => {
    const { action, key } = item;
    return (
      <Fragment key={action}>
        <div className={index === 0 ? 'max-lg:grow' : secondaryStyle}>
          <Button
            size={size}
            variant={variantOf(item, index, isExpanded)}
            isFullWidth
            isPending={plain.pending === action}
            isDisabled={plain.pending !== undefined && plain.pending !== action}
            focusIds={[action]}
            aria-keyshortcuts={key}
            onPress={() => start(action)}
          >
            <span>{t(`actions.${action}`)}</span>
            <ShortcutHint of={key} />
          </Button>
        </div>
        {options && action === options ? (
          <div className={secondaryStyle}>
            <Button
              size={size}
              variant="secondary"
              isFullWidth
              isDisabled={plain.pending !== undefined}
              focusIds={['options']}
              aria-keyshortcuts="o"
              onPress={() => startWithOptions(options)}
            >
              <span>{t(`staff:options.${options}.${hasFee ? 'fee' : 'open'}`)}</span>
              <ShortcutHint of="o" />
            </Button>
          </div>
        ) : null}
      </Fragment>
    );
  });
}

interface MoreActionsButtonProps {
  isExpanded: boolean;
  onExpand: (isExpanded: boolean) => void;
}

/** On a phone, shows the actions after the first one. */
function MoreActionsButton({ isExpanded, onExpand }: MoreActionsButtonProps) {
  const { t } = useTranslation('requests');
  const Arrow = isExpanded ? ChevronDown : ChevronUp;
  return (
    <div className="lg:hidden">
      <Button
        variant="secondary"
        aria-expanded={isExpanded}
        icon={<Arrow aria-hidden size={18} />}
        onPress={() => onExpand(!isExpanded)}
      >
        {t('actions.more')}
      </Button>
    </div>
  );
}
