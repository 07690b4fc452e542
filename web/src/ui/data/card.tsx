import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';

interface CardProps {
  children: ReactNode;
  /** A card with a title is a `section` element. */
  title?: string;
  action?: ReactNode;
  isFlush?: boolean;
  /** It is printed on one page. */
  isPrintedWhole?: boolean;
}

/** A surface on the page. Do not nest cards. */
export function Card({ children, title, action, isFlush, isPrintedWhole }: CardProps) {
  const Element = title ? 'section' : 'div';
  return (
    <Element
      data-surface
      data-print-whole={isPrintedWhole || undefined}
      className={classNames(
        'rounded-lg border border-ink-100 bg-white',
        !isFlush && 'p-4 md:p-6 print:p-3',
      )}
    >
      {title ? (
        <div
          className={classNames(
            'mb-4 flex flex-wrap items-center justify-between gap-3',
            'print:mb-2 print:break-inside-avoid print:break-after-avoid',
            isFlush && 'px-4 pt-4 md:px-6 md:pt-6',
          )}
        >
          <h2 className="text-lg">{title}</h2>
          {action}
        </div>
      ) : null}
      {children}
    </Element>
  );
}

interface FoldedCardProps {
  title: string;
  children: ReactNode;
  /** Shown beside the title, also when the card is closed. */
  summary?: ReactNode;
  isOpenAtFirst?: boolean;
  /** Printed only with the full record, not on the one-page print. */
  isInFullPrintOnly?: boolean;
  /** The card shows its content, for what is loaded then. */
  onOpen?: () => void;
}

/** A card that shows only its title and a summary until it is opened. */
export function FoldedCard({
  title,
  children,
  summary,
  isOpenAtFirst = false,
  isInFullPrintOnly = false,
  onOpen,
}: FoldedCardProps) {
  // React would close the card again with each rendering.
  const [isInitiallyOpen] = useState(isOpenAtFirst);
  return (
    <details
      data-surface
      data-print-full={isInFullPrintOnly || undefined}
      open={isInitiallyOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) onOpen?.();
      }}
      className="group/card rounded-lg border border-ink-100 bg-white"
    >
      <summary
        className={classNames(
          'flex min-h-14 list-none items-center gap-x-4 rounded-lg px-4 py-3 hover:bg-desert-50',
          'md:px-6 [&::-webkit-details-marker]:hidden',
          // Else the box begins at the end of a sheet and its title on the next one.
          'print:break-inside-avoid',
        )}
      >
        <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="text-lg">{title}</h2>
          {summary ? <span className="text-ink-600">{summary}</span> : null}
        </span>
        <ChevronDown
          aria-hidden
          size={20}
          className="shrink-0 text-ink-500 group-open/card:rotate-180 print:hidden"
        />
      </summary>
      {/* Every sheet has room for its padding: else the padding alone would begin another one. */}
      <div className="box-decoration-clone px-4 pt-1 pb-4 md:px-6 md:pb-6">{children}</div>
    </details>
  );
}
