import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import type { Call } from '@diwan/contract/wire/call';
import { Button } from '../actions/button.tsx';

/**
 * A button that asks for one file, and keeps the focus while it is sent. The caller validates the file:
 * `accept` is only a suggestion.
 */
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
  const input = useRef<HTMLInputElement>(null);
  if (!useMayCall(call)) return null;
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.join(',')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again, such as after an error.
          if (file) onChoose(file);
          target.value = '';
        }}
      />
      <Button
        variant="secondary"
        size="sm"
        icon={<Upload aria-hidden size={18} />}
        isPending={isPending}
        pendingLabel={pendingLabel}
        onPress={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
