/** A mobile number in groups, as people read it. */
export const groupedMobile = (stored: string): string =>
  stored.replace(/^(\+971)(\d{2})(\d{3})(\d{4})$/, '$1 $2 $3 $4');

/**
 * A request number, phone number, e-mail address or code: always left to right and not broken. A
 * user name may be wider than a phone, so it may wrap.
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
      {groupedMobile(children)}
    </bdi>
  );
}

/** An e-mail address: left to right; a narrow column breaks it before the @ first. */
export function EmailAddress({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@');
  return (
    <bdi dir="ltr" className="wrap-anywhere">
      <span>{at > 0 ? address.slice(0, at) : address}</span>
      {at > 0 ? (
        <>
          <wbr />
          <span>{address.slice(at)}</span>
        </>
      ) : null}
    </bdi>
  );
}
