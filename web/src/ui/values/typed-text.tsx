import { classNames } from '#lib/browser/class-names.ts';

/**
 * What a person typed, such as a note, a reason or a message: in its own direction, with its line breaks.
 * It begins where the text of the page begins: a short English note on an Arabic page is at the right.
 * Within a sentence of the page, `bdi` is enough.
 */
export function TypedText({ children, className }: { children: string; className?: string }) {
  return (
    <span
      dir="auto"
      className={classNames('block w-fit max-w-full wrap-anywhere whitespace-pre-line', className)}
    >
      {children}
    </span>
  );
}
