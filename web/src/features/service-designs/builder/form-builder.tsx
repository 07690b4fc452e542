import { ArrowDown, ArrowUp, ChevronLeft, Copy, Redo2, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import type { DesignEditor } from '../design-editor.data.ts';
import {
  hasPart,
  isPage,
  kindOfPlace,
  listOf,
  type Edited,
  type Place,
} from '../model/document-parts.ts';
import { duplicatePart, removePart } from '../model/edit-parts.ts';
import { movePart, movePartOnto } from '../model/move-parts.ts';
import { listRows, marksOf } from '../model/outline-rows.ts';
import { PartPanel } from '../panels/part-panel.tsx';
import { AddMenu } from './add-menu.tsx';
import { Outline, useRowLabel, type OutlineActions } from './outline.tsx';

/** The places around a place, from outside in: they are opened to show it. */
function placesAround(place: Place): Place[] {
  const { list } = isPage(place) ? { list: '' } : listOf(place);
  const [root = ''] = list.split('.');
  const step = /^form\.steps\.\d+/.exec(place)?.[0];
  return [root, ...(step && step !== place ? [step] : [])];
}

const isTyping = (target: EventTarget) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

interface FormBuilderProps {
  editor: DesignEditor;
  place: Place;
  onSelect: (place: Place) => void;
  showsMissing: boolean;
  /** Counts the visits from the list of problems: each moves the focus to the panel. */
  visits: number;
}

/** The rows of the outline, with what is closed in it. The selected part is always shown. */
function useOutlineRows(document: DesignEditor['document'], selected: Place) {
  const labelOf = useRowLabel();
  const [closed, setClosed] = useState<ReadonlySet<Place>>(new Set());
  const shownAsClosed = useMemo(() => {
    const places = new Set(closed);
    for (const each of placesAround(selected)) places.delete(each);
    return places;
  }, [closed, selected]);
  const rows = useMemo(() => listRows(document, shownAsClosed), [document, shownAsClosed]);
  return {
    rows,
    nameOf: (at: Place) => {
      const row = rows.find((each) => each.place === at);
      return row ? labelOf(row) : '';
    },
    setOpen: (at: Place, isOpen: boolean) => {
      const next = new Set(closed);
      if (isOpen) next.delete(at);
      else next.add(at);
      setClosed(next);
    },
  };
}

/** Which of outline and panel a phone shows, and the focus in the panel. */
function usePanel(visits: number) {
  const panel = useRef<HTMLDivElement>(null);
  const [isShown, setIsShown] = useState(visits > 0);
  useEffect(() => {
    if (visits > 0) panel.current?.querySelector<HTMLElement>('h2')?.focus();
  }, [visits]);
  return {
    panel,
    isShown,
    setIsShown,
    focus: () => {
      setIsShown(true);
      requestAnimationFrame(() => {
        const first = panel.current?.querySelector<HTMLElement>('textarea, input, button');
        (first ?? panel.current)?.focus();
      });
    },
  };
}

/** The changes of the selected part, and the text that announces the last one. */
function usePartEdits(
  { editor, onSelect }: Pick<FormBuilderProps, 'editor' | 'onSelect'>,
  selected: Place,
  nameOf: (at: Place) => string,
) {
  const { t } = useTranslation('designer');
  const { document } = editor;
  const [announcement, setAnnouncement] = useState('');
  const quoted = (at: Place) => `\u2068${nameOf(at)}\u2069`;
  const isFixed = isPage(selected);
  const apply = (edited: Edited | undefined, text: string) => {
    if (!edited) return;
    editor.change(edited.document);
    onSelect(edited.place);
    setAnnouncement(text);
  };
  return {
    announcement,
    isFixed,
    move: (by: 1 | -1) => {
      if (isFixed) return;
      const moved = movePart(document, selected, by);
      apply(moved, t(by === 1 ? 'news.movedDown' : 'news.movedUp', { name: quoted(selected) }));
      if (!moved) setAnnouncement(t('news.notMoved', { name: quoted(selected) }));
    },
    moveOnto: (at: Place, onto: Place) =>
      apply(movePartOnto(document, at, onto), t('news.moved', { name: quoted(at) })),
    remove: () => {
      if (!isFixed)
        apply(removePart(document, selected), t('news.removed', { name: quoted(selected) }));
    },
    duplicate: () => {
      if (!isFixed)
        apply(duplicatePart(document, selected), t('news.copied', { name: quoted(selected) }));
    },
    add: (edited: Edited) =>
      apply(edited, t('news.added', { part: t(`parts.${kindOfPlace(edited.place)}`) })),
    undo: () => {
      editor.undo();
      setAnnouncement(t('news.undone'));
    },
    redo: () => {
      editor.redo();
      setAnnouncement(t('news.redone'));
    },
  };
}

type PartEdits = ReturnType<typeof usePartEdits>;

function Toolbar({
  editor,
  selected,
  edits,
  onAdd,
}: {
  editor: DesignEditor;
  selected: Place;
  edits: PartEdits;
  onAdd: (edited: Edited) => void;
}) {
  const { t } = useTranslation('designer');
  const { isFixed, move, duplicate, remove, undo, redo, announcement } = edits;
  return (
    <div
      role="toolbar"
      aria-label={t('toolbar.label')}
      className="flex flex-wrap items-center gap-1"
    >
      <AddMenu document={editor.document} place={selected} onAdd={onAdd} />
      <span className="flex">
        <IconButton label={t('toolbar.up')} isDisabled={isFixed} onPress={() => move(-1)}>
          <ArrowUp aria-hidden size={20} />
        </IconButton>
        <IconButton label={t('toolbar.down')} isDisabled={isFixed} onPress={() => move(1)}>
          <ArrowDown aria-hidden size={20} />
        </IconButton>
        <IconButton label={t('toolbar.copy')} isDisabled={isFixed} onPress={duplicate}>
          <Copy aria-hidden size={20} />
        </IconButton>
        <IconButton label={t('toolbar.remove')} isDisabled={isFixed} onPress={remove}>
          <Trash2 aria-hidden size={20} />
        </IconButton>
        <IconButton label={t('toolbar.undo')} isDisabled={!editor.canUndo} onPress={undo}>
          <Undo2 aria-hidden size={20} className="mirror" />
        </IconButton>
        <IconButton label={t('toolbar.redo')} isDisabled={!editor.canRedo} onPress={redo}>
          <Redo2 aria-hidden size={20} className="mirror" />
        </IconButton>
      </span>
      <p role="status" className="min-w-0 grow text-sm text-ink-600">
        {announcement}
      </p>
    </div>
  );
}

/** Keys of the whole builder: undo and redo. In a text field these keys undo the typing. */
const undoByKey =
  ({ undo, redo }: PartEdits) =>
  (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) redo();
    else undo();
  };

/** The parts of a service as an outline, with the panel of the chosen one beside it. */
export function FormBuilder({ editor, place, onSelect, showsMissing, visits }: FormBuilderProps) {
  const { t } = useTranslation('designer');
  const { document, design } = editor;
  const selected = hasPart(document, place) ? place : 'about';
  const { rows, nameOf, setOpen } = useOutlineRows(document, selected);
  // On a phone the outline and the panel are two views.
  const { panel, isShown: isPanelShown, setIsShown: setIsPanelShown, focus } = usePanel(visits);
  const edits = usePartEdits({ editor, onSelect }, selected, nameOf);
  const marks = useMemo(() => marksOf(design.problems), [design.problems]);
  const add = (edited: Edited) => {
    edits.add(edited);
    focus();
  };
  const { move, moveOnto, remove, duplicate } = edits;
  const actions: OutlineActions = {
    select: (at) => {
      onSelect(at);
      setIsPanelShown(true);
    },
    toggle: (at, isOpen) => {
      // The selected part does not stay in what is closed.
      if (!isOpen && placesAround(selected).includes(at)) onSelect(at);
      setOpen(at, isOpen);
    },
    move,
    moveOnto,
    remove,
    duplicate,
    edit: focus,
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={undoByKey(edits)} className="flex flex-col gap-4">
      <Toolbar editor={editor} selected={selected} edits={edits} onAdd={add} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <section
          aria-label={t('outline.label')}
          className={classNames(
            'overflow-y-auto rounded-lg border border-ink-100 bg-white py-2',
            'lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)]',
            isPanelShown && 'max-lg:hidden',
          )}
        >
          <Outline
            rows={rows}
            selected={selected}
            marks={marks}
            label={t('outline.label')}
            actions={actions}
          />
          <p className="px-4 pt-3 pb-1 text-sm text-ink-500 max-lg:hidden">{t('outline.keys')}</p>
        </section>
        <div ref={panel} className={classNames('min-w-0', !isPanelShown && 'max-lg:hidden')}>
          <div className="pb-3 lg:hidden">
            <Button
              variant="secondary"
              size="sm"
              icon={<ChevronLeft aria-hidden size={18} className="mirror" />}
              onPress={() => setIsPanelShown(false)}
            >
              {t('outline.back')}
            </Button>
          </div>
          <PartPanel
            key={selected}
            title={nameOf(selected)}
            isPublished={design.isPublished}
            document={document}
            place={selected}
            problems={design.problems}
            showsMissing={showsMissing}
            onChange={editor.change}
            onSelect={onSelect}
            onAdd={add}
          />
        </div>
      </div>
    </div>
  );
}
