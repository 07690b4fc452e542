import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/**
 * Copies a text to the clipboard and announces it. Browsers allow this on https and on localhost
 * only; elsewhere the button is not shown.
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
