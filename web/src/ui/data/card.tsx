import type { ReactNode } from 'react';
import { classNames } from '../../lib/browser/class-names.ts';

interface CardProps {
  children: ReactNode;
  /** A card with a title is a `section` element. */
  title?: string;
  action?: ReactNode;
  isFlush?: boolean;
}

/** A surface on the page. Do not nest cards. */
export function Card({ children, title, action, isFlush }: CardProps) {
  const Element = title ? 'section' : 'div';
  return (
    <Element
      data-surface
      className={classNames('rounded-lg border border-ink-100 bg-white', !isFlush && 'p-4 md:p-6')}
    >
      {title ? (
        <div
          className={classNames(
            'mb-4 flex flex-wrap items-center justify-between gap-3',
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
