import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

export interface SummaryError {
  /** The field's `name` or one of its `focusIds`. */
  focusId: string;
  message: string;
}

/**
 * All errors of the form, each with a link to its field. It takes the focus when it appears; pass a
 * new `key` for each attempt.
 */
export function ErrorSummary({
  errors,
  title,
}: {
  errors: readonly SummaryError[];
  title?: string;
}) {
  const { t } = useTranslation('shell');
  const box = useRef<HTMLDivElement>(null);
  const isShown = errors.length > 0;
  useEffect(() => {
    if (!isShown) return;
    box.current?.focus({ preventScroll: true });
    // Scrolls to its start, also where it is taller than the visible part above a keyboard.
    box.current?.scrollIntoView({ block: 'start' });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      data-surface
      className="scroll-mt-4 rounded-md border-2 border-red-700 bg-white p-4"
    >
      <h2 className="flex items-center gap-2 text-lg text-red-800">
        <CircleAlert aria-hidden size={22} className="shrink-0" />
        <span>{title ?? t('kit.errorSummary', { count: errors.length })}</span>
      </h2>
      <ul className="mt-2 flex flex-col">
        {errors.map((error) => (
          <li key={`${error.focusId} ${error.message}`}>
            <button
              type="button"
              onClick={() => focusOn(error.focusId)}
              className={classNames(
                'min-h-9 py-1 text-start font-medium text-red-700 underline',
                'underline-offset-4 hover:text-red-800 hover:decoration-2',
              )}
            >
              {error.message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
