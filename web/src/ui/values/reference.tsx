/**
 * A request number, phone, e-mail or code: always left to right, never broken; a username may be
 * longer than a phone is wide.
 */
export function Reference({ children, isName = false }: { children: string; isName?: boolean }) {
  return (
    <bdi
      dir="ltr"
      className={
        isName
          ? 'tabular-nums wrap-anywhere md:whitespace-nowrap'
          : 'whitespace-nowrap tabular-nums'
      }
    >
      {children}
    </bdi>
  );
}
