/** A request number, phone, e-mail or code: always left to right, never broken. */
export function Reference({ children }: { children: string }) {
  return <bdi dir="ltr" className="whitespace-nowrap tabular-nums">{children}</bdi>;
}
