import { useFormat } from '#lib/i18n/format.ts';

/** An amount in fils, shown in dirhams on one line in its own direction. */
export function Money({ fils }: { fils: number }) {
  const { money } = useFormat();
  return <bdi className="whitespace-nowrap tabular-nums">{money(fils)}</bdi>;
}
