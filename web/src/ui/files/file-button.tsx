import { Upload } from 'lucide-react';
import { Button as AriaButton, FileTrigger } from 'react-aria-components';
import { buttonStyle } from '../actions/button.tsx';

/** A button that asks for one file. The caller validates it: `accept` is only a suggestion. */
export function FileButton({
  label,
  pendingLabel,
  isPending,
  accept,
  onChoose,
}: {
  label: string;
  pendingLabel: string;
  isPending: boolean;
  accept: readonly string[];
  onChoose: (file: File) => void;
}) {
  return (
    <FileTrigger
      acceptedFileTypes={[...accept]}
      onSelect={(files) => {
        const file = files?.[0];
        if (file) onChoose(file);
      }}
    >
      <AriaButton isDisabled={isPending} className={buttonStyle('secondary', 'sm')}>
        <Upload aria-hidden size={18} />
        <span>{isPending ? pendingLabel : label}</span>
      </AriaButton>
    </FileTrigger>
  );
}
