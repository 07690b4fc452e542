interface SelectBoxProps {
  label: string;
  isOn: boolean;
  isMixed?: boolean;
  onChange: (isOn: boolean, isRange: boolean) => void;
  /** Shown where the box stands in a card and not in a column. */
  cardText?: string;
}

/**
 * A tick box that is large to the finger and small to the eye; it lies above the link of its row.
 */
export function SelectBox({ label, isOn, isMixed = false, onChange, cardText }: SelectBoxProps) {
  return (
    <label className="relative z-1 -m-2 inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 p-2 max-lg:justify-start">
      <input
        type="checkbox"
        checked={isOn}
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={(event) =>
          onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)
        }
        className="size-5 cursor-pointer accent-gold-600"
      />
      {cardText ? (
        <span aria-hidden className="lg:hidden">
          {cardText}
        </span>
      ) : null}
    </label>
  );
}
