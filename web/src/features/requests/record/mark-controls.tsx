import { createContext, use, type ReactNode } from 'react';

/** An answer or a document that a return can mark. */
export interface MarkTarget {
  field: string;
  attachmentId?: string;
}

/** What staff see at an answer or a document that a return can mark. */
interface MarkControls {
  /** The button beside it. */
  flag: ReactNode;
  /** The reason of its mark, below it. */
  reason: ReactNode;
}

/** Creates the controls of an answer or a document with this title. */
export type CreateMarkControls = (target: MarkTarget, title: string) => MarkControls;

const MarkControlsContext = createContext<CreateMarkControls | undefined>(undefined);

/**
 * Lets staff mark answers and documents while they read the request. Without `create` no flags are
 * shown.
 */
export function MarkControlsProvider({
  create,
  children,
}: {
  create: CreateMarkControls | undefined;
  children: ReactNode;
}) {
  return <MarkControlsContext value={create}>{children}</MarkControlsContext>;
}

/** Undefined where nothing can be marked. */
export function useMarkControls(): CreateMarkControls | undefined {
  return use(MarkControlsContext);
}
