let watched: Promise<void> | undefined;

/** Loads and starts, once, what ends the session of a shared computer. */
export const loadSharedComputer = (): Promise<void> =>
  (watched ??= import('./shared-computer.ts').then(
    ({ watchSharedComputer }) => watchSharedComputer(),
    () => (watched = undefined),
  ));
