import { useState } from 'react';
import type { CreateMarkControls } from '#features/requests/record/mark-controls.tsx';
import { useLanguage } from '#lib/i18n/language.ts';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { maximumMarks, markKey } from '@diwan/contract/requests/return-marks';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { removeMark, setMark, type DraftMark } from './draft-marks.ts';
import { MarkFlag } from './mark-flag.tsx';
import { MarkEditor } from './return-marks.tsx';

// The dialog, which is above the page, has fields of the same marks.
const prefix = 'page:';

/**
 * The flags on the page, and the reasons below what is marked; undefined where it cannot be returned. Shortcuts
 * are described at `useMarkShortcuts`.
 */
export function useMarking(
  { requestId, allowedActions, applicantLanguage }: RequestRecord,
  marks: readonly DraftMark[],
  onChange: (marks: DraftMark[]) => void,
): CreateMarkControls | undefined {
  const { language } = useLanguage();
  const reader = applicantLanguage ?? language;
  const canMark = allowedActions.includes('return');
  const [openKey, setOpenKey] = useState<string>();
  useMarkShortcuts(canMark, setOpenKey);
  if (!canMark) return undefined;
  return (target, title) => {
    const key = markKey(target);
    const mark = marks.find((each) => markKey(each) === key);
    return {
      flag: (
        <MarkFlag
          requestId={requestId}
          target={target}
          title={title}
          mark={mark}
          isOpen={openKey === key}
          onOpenChange={(isOpen) => setOpenKey(isOpen ? key : undefined)}
          isDisabled={marks.length >= maximumMarks}
          prefix={prefix}
          reader={reader}
          onMark={(marked, reasonId) => onChange(setMark(marks, marked, reasonId))}
          onRemove={(marked) => onChange(removeMark(marks, marked))}
        />
      ),
      reason: mark ? (
        <MarkEditor
          requestId={requestId}
          title={title}
          mark={mark}
          prefix={prefix}
          isReasonText
          reader={applicantLanguage}
          missing={[]}
          onChange={(changed) => onChange(marks.map((each) => (each === mark ? changed : each)))}
        />
      ) : null,
    };
  };
}

const findFlags = () => [...document.querySelectorAll<HTMLElement>('[data-mark-flag]')];

const findKey = (element: Element | null) =>
  element?.closest<HTMLElement>('[data-mark]')?.dataset.mark;

/** The place of the flag that has the focus, or whose reason has it; -1 without. */
function findFocusedFlag(flags: readonly HTMLElement[]): number {
  const key = findKey(document.activeElement);
  return flags.findIndex((flag) => findKey(flag) === key);
}

/**
 * J and K move between the flags, arrow keys from a flag; F opens the menu of the flag that has the
 * focus, otherwise of the open document.
 */
function useMarkShortcuts(isOn: boolean, openMenu: (key: string) => void): void {
  const move = (by: 1 | -1) => () => {
    const flags = findFlags();
    const at = findFocusedFlag(flags);
    const flag = flags[at < 0 ? 0 : Math.min(Math.max(at + by, 0), flags.length - 1)];
    flag?.focus();
    flag?.scrollIntoView({ block: 'nearest' });
  };
  // Elsewhere the arrow keys scroll the page.
  const arrow = (by: 1 | -1) => () =>
    document.activeElement?.matches('[data-mark-flag]') ? move(by)() : false;
  const open = () => {
    const flags = findFlags();
    const flag =
      flags[findFocusedFlag(flags)] ??
      document.querySelector<HTMLElement>('[data-open-document] [data-mark-flag]') ??
      flags[0];
    const key = flag && findKey(flag);
    if (key === undefined) return;
    flag?.focus();
    openMenu(key);
  };
  useShortcuts(
    isOn ? { f: open, j: move(1), k: move(-1), ArrowDown: arrow(1), ArrowUp: arrow(-1) } : {},
  );
}
