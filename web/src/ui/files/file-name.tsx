interface FileNameProps {
  name: string;
  className?: string;
}

// The part from the last sequence without spaces and right-to-left letters that begins with a Latin
// letter or digit.
const lastPart = /(?<![a-z0-9])[a-z0-9][^\s\u0590-\u08ff\ufb1d-\ufefc]*$/iu;

/**
 * A file name in its own direction. The last part is isolated: after Arabic text, “2026.pdf” would
 * otherwise be displayed as “pdf.2026”.
 */
export function FileName({ name, className }: FileNameProps) {
  const at = name.search(lastPart);
  return (
    <bdi className={className}>
      {at > 0 ? (
        <>
          <span>{name.slice(0, at)}</span>
          <span dir="ltr">{name.slice(at)}</span>
        </>
      ) : (
        name
      )}
    </bdi>
  );
}
