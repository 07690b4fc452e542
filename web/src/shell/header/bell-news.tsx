import { useEffect, useRef, useState } from 'react';

// Several requests that come together are read out once.
const pauseMs = 1500;

/** Reads the counts out, politely, when something came; not when they only went down. */
export function BellNews({ text, arrivals }: { text: string; arrivals: number }) {
  const [spoken, setSpoken] = useState('');
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    if (arrivals === 0) return;
    const timer = setTimeout(() => setSpoken(latest.current), pauseMs);
    return () => clearTimeout(timer);
  }, [arrivals]);
  return (
    <span role="status" className="sr-only">
      {spoken}
    </span>
  );
}
