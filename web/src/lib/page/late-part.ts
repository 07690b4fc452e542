import { useEffect, useRef, useState } from 'react';
import { handleError } from '../api/handle-error.ts';
import { noConnection } from '../api/send-error.ts';

interface LatePart<Part> {
  /** Undefined until it has come. */
  part: Part | undefined;
  /** Fetches it ahead, when somebody is about to need it. */
  prepare: () => void;
  /** Fetches it and goes on; says so when there is no connection. */
  whenHere: (goOn: () => void) => void;
}

/**
 * A part of the page that most visits never use, so its code comes only when somebody reaches for
 * it. Decision 0008.
 */
export function useLatePart<Part>(load: () => Promise<Part>): LatePart<Part> {
  const [part, setPart] = useState<Part>();
  const fetch = async () => {
    const found = await load();
    // A component is a function, and a function given to a setter would be called.
    setPart(() => found);
  };
  return {
    part,
    prepare: () => void fetch().catch(() => undefined),
    whenHere: (goOn) => void fetch().then(goOn, () => handleError(noConnection())),
  };
}

/** The same for a part that is shown as soon as it is here. Without a connection there is none. */
export function useLatePartNow<Part>(load: () => Promise<Part>): Pick<LatePart<Part>, 'part'> {
  const { part, prepare } = useLatePart(load);
  const start = useRef(prepare);
  useEffect(() => start.current(), []);
  return { part };
}
