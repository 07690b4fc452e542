import { useEffect, useRef, useState } from 'react';
import { connectionError } from '../api/api-error.ts';
import { handleError } from '../api/handle-error.ts';

interface LazyComponent<Component> {
  /** Undefined until its code is loaded. */
  component: Component | undefined;
  /** Loads the code before it is needed. */
  preload: () => void;
  /** Loads the code and then calls `onLoaded`; shows an error without a connection. */
  load: (onLoaded: () => void) => void;
}

/**
 * A component that most visits do not use, so its code loads on demand. Decision 0008. Unlike
 * `React.lazy`, it shows no fallback and tells when it is loaded.
 */
export function useLazyComponent<Component>(
  importComponent: () => Promise<Component>,
): LazyComponent<Component> {
  const [component, setComponent] = useState<Component>();
  const load = async () => {
    const loaded = await importComponent();
    // A component is a function, and React would call a function that is passed to the setter.
    setComponent(() => loaded);
  };
  return {
    component,
    preload: () => void load().catch(() => undefined),
    load: (onLoaded) => void load().then(onLoaded, () => handleError(connectionError())),
  };
}

/** A component whose code loads immediately after the first render; without a connection none. */
export function useLoadedComponent<Component>(
  importComponent: () => Promise<Component>,
): Pick<LazyComponent<Component>, 'component'> {
  const { component, preload } = useLazyComponent(importComponent);
  const start = useRef(preload);
  useEffect(() => start.current(), []);
  return { component };
}
