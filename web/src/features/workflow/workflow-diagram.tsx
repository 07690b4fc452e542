import { Ban, CircleCheck, CircleDot, Clock, Hourglass, type LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { layOut } from './diagram-layout.ts';
import {
  lineHeightOf,
  partsOf,
  type ActionLine,
  type DiagramTexts,
  type StatusBox,
} from './diagram-parts.ts';

const toneStyles: Record<string, { icon: LucideIcon; box: string; iconColour: string }> = {
  waiting: {
    icon: Hourglass,
    box: 'fill-amber-50 stroke-amber-600',
    iconColour: 'stroke-amber-800',
  },
  progress: { icon: Clock, box: 'fill-blue-50 stroke-blue-600', iconColour: 'stroke-blue-700' },
  done: {
    icon: CircleCheck,
    box: 'fill-green-50 stroke-green-600',
    iconColour: 'stroke-green-700',
  },
  refused: { icon: Ban, box: 'fill-red-50 stroke-red-600', iconColour: 'stroke-red-700' },
  start: { icon: CircleDot, box: 'fill-ink-50 stroke-ink-400', iconColour: 'stroke-ink-600' },
};

type Drawing = { language: Language; texts: DiagramTexts };

/** Makes the statuses and the labels of lines buttons. */
interface DiagramButtons {
  onStatus: (statusId: number) => void;
  onLine: (from: number, to: number) => void;
  /** `status 3` or `line 3 4`. */
  selected: string | undefined;
}

/** A part of the picture that is a button, where the picture is edited. */
function Part({
  children,
  isSelected,
  onPress,
}: {
  children: ReactNode;
  isSelected: boolean;
  onPress: (() => void) | undefined;
}) {
  if (!onPress) return <g>{children}</g>;
  return (
    // SVG has no button element.
    <g
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onPress();
      }}
      className={classNames(
        'cursor-pointer outline-none hover:[&>rect]:stroke-gold-600',
        'focus-visible:[&>rect]:stroke-focus focus-visible:[&>rect]:stroke-[3px]',
        isSelected && '[&>rect]:stroke-gold-700 [&>rect]:stroke-[3px]',
      )}
    >
      {children}
    </g>
  );
}

function TextLines({
  lines,
  x,
  top,
  language,
  className,
  size,
}: {
  lines: readonly string[];
  x: number;
  top: number;
  language: Language;
  className: string;
  size: number;
}) {
  const height = lineHeightOf(language);
  // The space is not drawn; it separates the lines for those who hear or check the text.
  return lines.map((line, index) => (
    <Fragment key={`${index} ${line}`}>
      <text
        x={x}
        y={top + index * height + height * 0.72}
        textAnchor="middle"
        direction={directionOf(language)}
        fontSize={size}
        className={className}
      >
        {line}
      </text>{' '}
    </Fragment>
  ));
}

function StatusShape({
  box,
  x,
  y,
  language,
  texts,
  buttons,
}: Drawing & { box: StatusBox; x: number; y: number; buttons: DiagramButtons | undefined }) {
  const {
    icon: Icon,
    box: shape,
    iconColour,
  } = toneStyles[box.tone] ?? (toneStyles.start as (typeof toneStyles)[string]);
  const top = y - box.height / 2;
  const height = lineHeightOf(language);
  const label = box.tone === 'start' ? '' : texts.tone(box.tone);
  const inset = box.width / 2 - 20;
  const iconX = label === '' ? x - 8 : x + (directionOf(language) === 'rtl' ? inset : -inset) - 8;
  return (
    <Part
      isSelected={buttons?.selected === `status ${box.id}`}
      onPress={buttons && box.tone !== 'start' ? () => buttons.onStatus(box.id) : undefined}
    >
      <rect
        x={x - box.width / 2}
        y={top}
        width={box.width}
        height={box.height}
        rx={10}
        strokeWidth={1.5}
        strokeDasharray={box.isDraft ? '5 4' : undefined}
        className={shape}
      />
      <Icon
        x={iconX}
        y={top + 8 + (height - 16) / 2}
        size={16}
        className={iconColour}
        aria-hidden
      />
      {label === '' ? null : (
        <TextLines
          lines={[label]}
          x={x}
          top={top + 6}
          language={language}
          size={12}
          className="fill-ink-700"
        />
      )}
      <TextLines
        lines={box.lines}
        x={x}
        top={top + 8 + height}
        language={language}
        size={15}
        className="fill-ink-900 font-semibold"
      />
    </Part>
  );
}

function ActionLabel({
  line,
  x,
  y,
  language,
  buttons,
}: {
  line: ActionLine;
  x: number;
  y: number;
  language: Language;
  buttons: DiagramButtons | undefined;
}) {
  const top = y - line.height / 2;
  const { from, to } = line;
  return (
    <Part
      isSelected={buttons?.selected === `line ${from} ${to}`}
      onPress={buttons ? () => buttons.onLine(from, to) : undefined}
    >
      <rect
        x={x - line.width / 2}
        y={top}
        width={line.width}
        height={line.height}
        rx={6}
        className="fill-white stroke-ink-200"
      />
      <TextLines
        lines={line.actions}
        x={x}
        top={top + 4}
        language={language}
        size={13}
        className="fill-ink-900 font-semibold"
      />
      <TextLines
        lines={line.roles}
        x={x}
        top={top + 4 + line.actions.length * lineHeightOf(language)}
        language={language}
        size={12}
        className="fill-ink-600"
      />
    </Part>
  );
}

/**
 * The diagram of a workflow, in the portal and in the documentation. `WorkflowTable` shows the same
 * as text.
 */
export function WorkflowDiagram({
  workflow,
  texts,
  language,
  id = 'workflow',
  buttons,
}: Drawing & { workflow: Workflow; id?: string; buttons?: DiagramButtons }) {
  const { boxes, lines } = partsOf(workflow, texts, language);
  const placed = layOut(boxes, lines, directionOf(language) === 'rtl');
  const arrow = `${id}-arrow`;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      role={buttons ? 'group' : 'img'}
      aria-labelledby={`${id}-title ${id}-description`}
      viewBox={`0 0 ${placed.width} ${placed.height}`}
      width={placed.width}
      height={placed.height}
    >
      <title id={`${id}-title`}>{texts.title}</title>
      <desc id={`${id}-description`}>{texts.description}</desc>
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 10 10"
          refX={9}
          refY={5}
          markerWidth={8}
          markerHeight={8}
          orient="auto-start-reverse"
        >
          <path d="M0 0L10 5L0 10z" className="fill-ink-600" />
        </marker>
      </defs>
      {placed.lines.map(({ path, isBack }, index) => (
        <path
          key={path}
          d={path}
          fill="none"
          strokeWidth={1.5}
          strokeDasharray={isBack ? '6 4' : undefined}
          className="stroke-ink-600"
          markerEnd={`url(#${arrow})`}
          data-line={`${lines[index]?.from}-${lines[index]?.to}`}
        />
      ))}
      {placed.lines.map(({ label }, index) => {
        const line = lines[index] as ActionLine;
        return (
          <ActionLabel
            key={`${line.from} ${line.to}`}
            line={line}
            {...label}
            language={language}
            buttons={buttons}
          />
        );
      })}
      {boxes.map((box) => {
        const at = placed.boxes.get(box.id) ?? { x: 0, y: 0 };
        return (
          <StatusShape
            key={box.id}
            box={box}
            {...at}
            language={language}
            texts={texts}
            buttons={buttons}
          />
        );
      })}
    </svg>
  );
}
