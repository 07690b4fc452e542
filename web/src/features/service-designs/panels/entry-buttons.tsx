import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { IconButton } from '#ui/actions/icon-button.tsx';

/** Moves one entry of a list up or down, or removes it. */
export function EntryButtons<Entry>({
  entries,
  index,
  labels,
  onChange,
}: {
  entries: readonly Entry[];
  index: number;
  labels: Record<'up' | 'down' | 'remove', string>;
  onChange: (entries: Entry[]) => void;
}) {
  const move = (by: 1 | -1) => {
    const [own, other] = [entries[index], entries[index + by]];
    if (own !== undefined && other !== undefined)
      onChange(entries.with(index, other).with(index + by, own));
  };
  return (
    <>
      <IconButton label={labels.up} isDisabled={index === 0} onPress={() => move(-1)}>
        <ArrowUp aria-hidden size={18} />
      </IconButton>
      <IconButton
        label={labels.down}
        isDisabled={index === entries.length - 1}
        onPress={() => move(1)}
      >
        <ArrowDown aria-hidden size={18} />
      </IconButton>
      <IconButton label={labels.remove} onPress={() => onChange(entries.toSpliced(index, 1))}>
        <Trash2 aria-hidden size={18} />
      </IconButton>
    </>
  );
}
