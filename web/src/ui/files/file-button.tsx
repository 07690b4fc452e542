import { Upload } from 'lucide-react';
import { Button as AriaButton, FileTrigger } from 'react-aria-components';
import { useMayCall } from '#lib/api/session.ts';
import type { Call } from '@diwan/contract/wire/call';
import { buttonStyle } from '../actions/button.tsx';

/** A button that asks for one file. The caller validates it: `accept` is only a suggestion. */
export function FileButton({
  label,
  pendingLabel,
  isPending,
  accept,
  onChoose,
  call,
}: {
  label: string;
  pendingLabel: string;
  isPending: boolean;
  accept: readonly string[];
  onChoose: (file: File) => void;
  /** What it sends: a user who may not make this call sees no button. */
  call?: Pick<Call, 'who'>;
}) {
  if (!useMayCall(call)) return null;
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
