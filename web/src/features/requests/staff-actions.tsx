import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonVariant } from '../../ui/button-style.ts';
import { emptyDrafts } from './action-draft.ts';
import { ActionProblem } from './action-problem.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { dialogActions, plainActions, usePlainActions, type DialogAction, type PlainAction } from './request-actions.data.ts';
import { ReturnDialog } from './return-dialog.tsx';

interface StaffActionsProps {
  record: RequestRecord;
  reload: () => Promise<RequestRecord | undefined>;
}

type StaffAction = PlainAction | DialogAction;

const order: readonly StaffAction[] = ['receive', 'accept', 'approve', 'submitted', 'return', 'release', 'reject'];
const dialogs = { return: ReturnDialog, reject: RejectDialog, submitted: CompleteDialog };

function variantOf(action: StaffAction, index: number): ButtonVariant {
  if (action === 'reject') return 'danger';
  if (action === 'release') return 'quiet';
  return index === 0 && action !== 'return' ? 'primary' : 'secondary';
}

const isPlain = (action: StaffAction): action is PlainAction => plainActions.some((each) => each === action);

/** The actions allowed now, always at the same place. A dialog stays open, with what was typed, even when its action is gone. */
export function StaffActions({ record, reload }: StaffActionsProps) {
  const { t } = useTranslation('requests');
  const plain = usePlainActions(record);
  const [open, setOpen] = useState<DialogAction>();
  const [drafts, setDrafts] = useState(emptyDrafts);
  const [isExpanded, setIsExpanded] = useState(false);
  const allowed = order.filter((action) => record.allowedActions.includes(action));
  const done = (action: StaffAction) => () => {
    setOpen(undefined);
    setDrafts(emptyDrafts);
    setIsExpanded(false);
    showToast(t(`actions.done.${action}`), 'success');
  };
  const reloadRecord = async () => {
    await reload();
    plain.reset();
  };
  const DialogOf = open ? dialogs[open] : undefined;

  const dialog = open && DialogOf ? (
    <DialogOf
      record={record} reload={reload} draft={drafts[open]} onDraft={(changed) => setDrafts((all) => ({ ...all, [open]: { ...all[open], ...(typeof changed === 'function' ? changed(all[open]) : changed) } }))}
      onClose={() => setOpen(undefined)} onDone={done(open)}
    />
  ) : null;
  const hasBar = allowed.length > 0 || plain.error !== null;
  return (
    <>
      {hasBar ? (
        <section data-no-print aria-label={t('staff.bar')} className="sticky bottom-0 z-10 border-t border-ink-200 bg-white shadow-soft">
          <div className="page flex flex-col gap-3 py-3">
            <ActionProblem error={plain.error} onReload={reloadRecord} />
            <div className="flex flex-wrap items-center gap-2 md:gap-3">
              {allowed.map((action, index) => (
                <div key={action} className={index === 0 ? 'max-md:grow' : isExpanded ? 'max-md:order-last max-md:w-[calc(50%-4px)]' : 'max-md:hidden'}>
                  <Button
                    variant={variantOf(action, index)} isFullWidth isPending={plain.pending === action} isDisabled={plain.pending !== undefined && plain.pending !== action} focusIds={[action]}
                    onPress={() => (isPlain(action) ? plain.run(action, done(action)) : setOpen(dialogActions.find((each) => each === action)))}
                  >
                    {t(`actions.${action}`)}
                  </Button>
                </div>
              ))}
              {allowed.length > 1 ? (
                <div className="md:hidden">
                  <Button variant="secondary" aria-expanded={isExpanded} icon={isExpanded ? <ChevronDown aria-hidden size={18} /> : <ChevronUp aria-hidden size={18} />} onPress={() => setIsExpanded(!isExpanded)}>{t('actions.more')}</Button>
                </div>
              ) : null}
            </div>
          </div>
        </section>
      ) : null}
      {dialog}
    </>
  );
}
