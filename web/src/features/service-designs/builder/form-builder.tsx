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

/** The parts of a service as an outline, with the panel of the chosen one beside it. */
export function FormBuilder({ editor, place, onSelect, showsMissing, visits }: FormBuilderProps) {
  const { t } = useTranslation('designer');
  const { document, design } = editor;
  const labelOf = useRowLabel();
  const [closed, setClosed] = useState<ReadonlySet<Place>>(new Set());
  const [news, setNews] = useState('');
  // On a phone the outline and the panel are two views.
  const [isPanelShown, setIsPanelShown] = useState(visits > 0);
  const panel = useRef<HTMLDivElement>(null);
  const selected = hasPart(document, place) ? place : 'about';

  const open = useMemo(() => {
    const places = new Set(closed);
    for (const each of placesAround(selected)) places.delete(each);
    return places;
  }, [closed, selected]);
  const rows = useMemo(() => listRows(document, open), [document, open]);
  const marks = useMemo(() => marksOf(design.problems), [design.problems]);
  const rowOf = (at: Place) => rows.find((row) => row.place === at);
  const nameOf = (at: Place) => {
    const row = rowOf(at);
    return row ? labelOf(row) : '';
  };
  const quoted = (at: Place) => `\u2068${nameOf(at)}\u2069`;

  const focusPanel = () => {
    setIsPanelShown(true);
    requestAnimationFrame(() => {
      const first = panel.current?.querySelector<HTMLElement>('textarea, input, button');
      (first ?? panel.current)?.focus();
    });
  };
  useEffect(() => {
    if (visits > 0) panel.current?.querySelector<HTMLElement>('h2')?.focus();
  }, [visits]);

  const apply = (edited: Edited | undefined, text: string) => {
    if (!edited) return;
    editor.change(edited.document);
    onSelect(edited.place);
    setNews(text);
  };
  const isFixed = isPage(selected);
  const move = (by: 1 | -1) => {
    if (isFixed) return;
    const moved = movePart(document, selected, by);
    apply(moved, t(by === 1 ? 'news.movedDown' : 'news.movedUp', { name: quoted(selected) }));
    if (!moved) setNews(t('news.notMoved', { name: quoted(selected) }));
  };
  const remove = () => {
    if (!isFixed)
      apply(removePart(document, selected), t('news.removed', { name: quoted(selected) }));
  };
  const duplicate = () => {
    if (!isFixed)
      apply(duplicatePart(document, selected), t('news.copied', { name: quoted(selected) }));
  };
  const add = (edited: Edited) => {
    apply(edited, t('news.added', { part: t(`parts.${kindOfPlace(edited.place)}`) }));
    focusPanel();
  };
  const actions: OutlineActions = {
    select: (at) => {
      onSelect(at);
      setIsPanelShown(true);
    },
    toggle: (at, isOpen) => {
      const next = new Set(closed);
      if (isOpen) next.delete(at);
      else next.add(at);
      // The selected part does not stay in what is closed.
      if (!isOpen && placesAround(selected).includes(at)) onSelect(at);
      setClosed(next);
    },
    move,
    moveOnto: (at, onto) =>
      apply(movePartOnto(document, at, onto), t('news.moved', { name: quoted(at) })),
    remove,
    duplicate,
    edit: focusPanel,
  };
  const undo = () => {
    editor.undo();
    setNews(t('news.undone'));
  };
  const redo = () => {
    editor.redo();
    setNews(t('news.redone'));
  };
  // In a text field these keys undo the typing.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) redo();
    else undo();
  };
  return (
    // Keys of the whole builder.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown} className="flex flex-col gap-4">
      <div
        role="toolbar"
        aria-label={t('toolbar.label')}
        className="flex flex-wrap items-center gap-1"
      >
        <AddMenu document={document} place={selected} onAdd={add} />
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
          {news}
        </p>
      </div>
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
