interface FileNameProps {
  name: string;
  className?: string;
}

// From its first Latin letter or digit on, without spaces or letters from right to left.
const lastPart = /(?<![a-z0-9])[a-z0-9][^\s\u0590-\u08ff\ufb1d-\ufefc]*$/iu;

/**
 * A file's name in its own direction. Its last part stands together: after Arabic, “2026.pdf” would
 * otherwise be shown as “pdf.2026”.
 */
export function FileName({ name, className }: FileNameProps) {
  const at = name.search(lastPart);
  return (
    <bdi className={className}>
      {at > 0 ? (
        <>
          {name.slice(0, at)}
          <span dir="ltr">{name.slice(at)}</span>
        </>
      ) : (
        name
      )}
    </bdi>
  );
}
