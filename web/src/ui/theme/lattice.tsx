/**
 * A repeated star-and-lattice pattern; purely decorative. The file is loaded once for the whole
 * site.
 */
export function Lattice({ className = '' }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={`pointer-events-none bg-[url(/motif.svg)] bg-size-[120px_120px] ${className}`}
    />
  );
}
