import { useEffect, useState } from 'react';

/**
 * False for half a second after what is shown has become another: until then the second click of a
 * double click would press what has just come to that place.
 */
export function useSettled(shown: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), 500);
    return () => clearTimeout(timer);
  }, [shown]);
  return settled === shown;
}
