import { useEffect, useState } from 'react';

/** The value after it has rested for a moment, so that not every keystroke asks the server. */
export function useDelayed<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setDelayed(value), milliseconds);
    return () => window.clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}
