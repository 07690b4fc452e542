import { ChevronDown, CircleAlert, Split, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { DesignProblem } from '@diwan/contract/catalogue/service-designs';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Place } from '../model/document-parts.ts';
import type { OutlineRow } from '../model/outline-rows.ts';

type Severity = DesignProblem['severity'];

interface RowProps {
  place: Place;
  label: string;
  tag: string;
  level: number;
  isPage: boolean;
  isSelected: boolean;
  isDropTarget: boolean;
  isDraggable: boolean;
  isConditional: boolean;
  isOpen: boolean | undefined;
  mark: Severity | undefined;
}

const indents = ['', 'ps-2', 'ps-6', 'ps-10', 'ps-14', 'ps-18'];

/** One line of the outline. A form may have 2,000: a line renders only when it has changed. */
const Row = memo(function Row({
  place,
  label,
  tag,
  level,
  isPage,
  isSelected,
  isDropTarget,
  isDraggable,
  isConditional,
  isOpen,
  mark,
}: RowProps) {
  const { t } = useTranslation('designer');
  const Mark = mark === 'error' ? CircleAlert : TriangleAlert;
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      tabIndex={isSelected ? 0 : -1}
      data-place={place}
      draggable={isDraggable}
      className={classNames(
        'flex min-h-11 cursor-default items-center gap-2 border-s-3 py-1.5 pe-2 -outline-offset-2',
        '[contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] md:min-h-10',
        indents[level],
        isSelected ? 'border-primary bg-gold-50' : 'border-transparent hover:bg-ink-50',
        isPage && 'font-semibold text-ink-900',
        isDropTarget && 'shadow-[0_2px_0_0_var(--color-primary)]',
      )}
    >
      {isOpen === undefined ? (
        <span className="w-5 shrink-0" />
      ) : (
        <ChevronDown
          aria-hidden
          data-toggle
          size={20}
          className={classNames('shrink-0 text-ink-500', !isOpen && '-rotate-90 rtl:rotate-90')}
        />
      )}
      <span className="min-w-0 grow truncate">
        <bdi>{label}</bdi>
      </span>
      {isConditional ? (
        <span className="shrink-0 text-ink-500">
          <Split aria-hidden size={16} />
          <span className="sr-only">{t('outline.conditional')}</span>
        </span>
      ) : null}
      {tag ? (
        <span className="max-w-2/5 truncate text-xs text-ink-500 max-sm:sr-only">{tag}</span>
      ) : null}
      {mark ? (
        <span
          className={classNames('shrink-0', mark === 'error' ? 'text-red-700' : 'text-amber-800')}
        >
          <Mark aria-hidden size={16} />
          <span className="sr-only">{t(`outline.${mark}`)}</span>
        </span>
      ) : null}
    </li>
  );
});

/** What an outline row is called: its title in the language of the page, else in another one. */
export function useRowLabel(): (
  row: Pick<OutlineRow, 'kind' | 'title' | 'name' | 'detail'>,
) => string {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const titleOf = (title: LocalizedText | undefined) =>
    title?.[language] || title?.['ar-EG'] || title?.['en-US'] || title?.['ur-PK'] || '';
  return ({ kind, title, name, detail }) => {
    if (name === undefined) return t(`parts.${kind}`);
    if (kind === 'rule' && !titleOf(title)) return t(`ruleKinds.${detail}`);
    return titleOf(title) || t('untitled', { part: t(`parts.${kind}`), name });
  };
}

export interface OutlineActions {
  select: (place: Place) => void;
  toggle: (place: Place, isOpen: boolean) => void;
  move: (by: 1 | -1) => void;
  moveOnto: (place: Place, onto: Place) => void;
  remove: () => void;
  duplicate: () => void;
  /** Moves the focus to the panel of the selected part. */
  edit: () => void;
}

const placeOf = (event: { target: EventTarget }): Place | undefined =>
  (event.target as HTMLElement).closest<HTMLElement>('[data-place]')?.dataset.place;

const draggableKinds = ['step', 'field', 'attachment', 'rule', 'fee'];

/** The row that an arrow key, Home or End leads to. */
function rowByKey(
  rows: readonly OutlineRow[],
  current: number,
  key: string,
): OutlineRow | undefined {
  const targets: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: rows.length - 1,
  };
  return targets[key] === undefined ? undefined : rows[targets[key]];
}

/**
 * Scrolls the outline to the selected row. After a key the row has the focus, also when it has moved
 * to another place: gives the function that runs what a key asks for.
 */
function useSelectedRow(rows: readonly OutlineRow[], selected: Place) {
  const tree = useRef<HTMLUListElement>(null);
  const isByKey = useRef(false);
  useEffect(() => {
    // A section that moves has the same place among other rows.
    if (!rows.some(({ place }) => place === selected)) return;
    const row = tree.current?.querySelector<HTMLElement>(`[data-place="${selected}"]`);
    const box = tree.current?.parentElement;
    if (!row || !box) return;
    if (isByKey.current) row.focus({ preventScroll: true });
    // Only the outline scrolls: the page stays where it is.
    const [top, bottom] = [
      row.offsetTop - box.offsetTop,
      row.offsetTop - box.offsetTop + row.offsetHeight,
    ];
    if (top < box.scrollTop) box.scrollTop = top - 8;
    else if (bottom > box.scrollTop + box.clientHeight)
      box.scrollTop = bottom - box.clientHeight + 8;
  }, [selected, rows]);
  const runByKey = (event: KeyboardEvent, action: () => void) => {
    event.preventDefault();
    event.stopPropagation();
    isByKey.current = true;
    action();
    // React has moved the focus by then.
    requestAnimationFrame(() => {
      isByKey.current = false;
    });
  };
  return { tree, runByKey };
}

/** The row to which an arrow leads that neither opens nor closes the current one. */
function rowAside(
  rows: readonly OutlineRow[],
  current: number,
  isForward: boolean,
): OutlineRow | undefined {
  const row = rows[current];
  if (!row) return undefined;
  if (!isForward) return rows.slice(0, current).findLast(({ level }) => level < row.level);
  const next = rows[current + 1];
  return next && next.level > row.level ? next : undefined;
}

/** Moves a row onto another one by dragging; `target` is the row that would take it. */
function useRowDrag(moveOnto: OutlineActions['moveOnto']) {
  const [dragged, setDragged] = useState<Place>();
  const [target, setTarget] = useState<Place>();
  const end = () => {
    setDragged(undefined);
    setTarget(undefined);
  };
  return {
    target,
    handlers: {
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        setDragged(placeOf(event));
      },
      onDragOver: (event: DragEvent) => {
        const place = placeOf(event);
        if (dragged === undefined || place === undefined) return;
        event.preventDefault();
        if (place !== target) setTarget(place);
      },
      onDragEnd: end,
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        const onto = placeOf(event);
        if (dragged !== undefined && onto !== undefined) moveOnto(dragged, onto);
        end();
      },
    },
  };
}

/** The parts of a service as a tree: arrows choose, Alt with an arrow moves, Delete deletes. */
export function Outline({
  rows,
  selected,
  marks,
  label,
  actions,
}: {
  rows: readonly OutlineRow[];
  selected: Place;
  marks: ReadonlyMap<Place, Severity>;
  label: string;
  actions: OutlineActions;
}) {
  const { t } = useTranslation('designer');
  const labelOf = useRowLabel();
  const { tree, runByKey } = useSelectedRow(rows, selected);
  const drag = useRowDrag(actions.moveOnto);
  const current = rows.findIndex(({ place }) => place === selected);
  const foldByKey = (key: string) => {
    const isForward = key === (document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight');
    const row = rows[current];
    if (row?.isOpen !== undefined && row.isOpen !== isForward)
      return actions.toggle(row.place, isForward);
    const target = rowAside(rows, current, isForward);
    if (target) actions.select(target.place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey } = event;
    const isCommand = ctrlKey || metaKey;
    if (altKey && (key === 'ArrowUp' || key === 'ArrowDown'))
      return runByKey(event, () => actions.move(key === 'ArrowUp' ? -1 : 1));
    if (isCommand && key.toLowerCase() === 'd') return runByKey(event, actions.duplicate);
    if (altKey || isCommand) return;
    if (key === 'Delete') return runByKey(event, actions.remove);
    if (key === 'Enter') {
      event.preventDefault();
      return actions.edit();
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') return runByKey(event, () => foldByKey(key));
    const target = rowByKey(rows, current, key);
    if (target) runByKey(event, () => actions.select(target.place));
  };
  return (
    <ul
      ref={tree}
      role="tree"
      aria-label={label}
      {...drag.handlers}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const place = placeOf(event);
        if (place === undefined) return;
        const row = rows.find((each) => each.place === place);
        const isToggle = (event.target as Element).closest('[data-toggle]') !== null;
        if (isToggle && row?.isOpen !== undefined) return actions.toggle(place, !row.isOpen);
        actions.select(place);
      }}
      className="flex flex-col"
    >
      {rows.map((row, index) => (
        <Row
          key={row.place}
          place={row.place}
          label={labelOf(row)}
          tag={row.kind === 'field' ? t(`kinds.${row.detail}`) : ''}
          level={row.level}
          isPage={row.level === 1}
          isSelected={row.place === selected || (current < 0 && index === 0)}
          isDropTarget={row.place === drag.target}
          isDraggable={draggableKinds.includes(row.kind)}
          isConditional={row.isConditional}
          isOpen={row.isOpen}
          mark={marks.get(row.place)}
        />
      ))}
    </ul>
  );
}
