/** A document that is open on the page, or left and still being saved. */
interface OpenWork {
  /** Saves what is pending. Resolves to whether the server has it. */
  settle: () => Promise<boolean>;
  /** Stops saving, and removes the copy of this device. */
  discard: () => void;
}

const open = new Set<OpenWork>();
/** A sign-out waits no longer for the server. */
const longestWaitMs = 5000;

/** Remembers a document until the function that this gives is called. */
export function addOpenWork(work: OpenWork): () => void {
  open.add(work);
  return () => void open.delete(work);
}

/** Saves all open documents. False where one is not saved in a few seconds. */
export async function saveOpenWork(): Promise<boolean> {
  if (open.size === 0) return true;
  const tooLate = new Promise<boolean[]>((resolve) =>
    setTimeout(() => resolve([false]), longestWaitMs),
  );
  const saved = Promise.all([...open].map((work) => work.settle().catch(() => false)));
  return (await Promise.race([saved, tooLate])).every(Boolean);
}

export function discardOpenWork(): void {
  for (const work of open) work.discard();
  open.clear();
}
