import { useEffect, useRef, useState, type ReactNode } from 'react';

interface FoldProps {
  title: string;
  children: ReactNode;
  /** It opens also when this becomes true later; the user can close it again. */
  isOpenAtFirst?: boolean;
}

/** A part of a form that few people need, behind a line that opens it. */
export function Fold({ title, children, isOpenAtFirst = false }: FoldProps) {
  const details = useRef<HTMLDetailsElement>(null);
  // React would close it again with each rendering.
  const [isInitiallyOpen] = useState(isOpenAtFirst);
  useEffect(() => {
    if (isOpenAtFirst && details.current) details.current.open = true;
  }, [isOpenAtFirst]);
  return (
    <details ref={details} open={isInitiallyOpen}>
      <summary className="min-h-11 w-fit py-2 font-medium">{title}</summary>
      <div className="flex flex-col gap-6 pt-2">{children}</div>
    </details>
  );
}
