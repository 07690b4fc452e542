import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/**
 * Puts a text where it can be pasted from, and says so. Browsers allow that on https and on this
 * machine only; elsewhere there is no button.
 */
export function CopyButton({
  text,
  label,
  copiedLabel,
}: {
  text: string;
  label: string;
  copiedLabel: string;
}) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = window.setTimeout(() => setIsCopied(false), 4000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  if (!('clipboard' in navigator)) return null;
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        icon={isCopied ? <Check aria-hidden size={18} /> : <Copy aria-hidden size={18} />}
        onPress={copy}
      >
        {isCopied ? copiedLabel : label}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? copiedLabel : ''}
      </span>
    </>
  );
}
