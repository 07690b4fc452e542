import { useState, type ReactNode } from 'react';
import { Button } from '../ui/actions/button.tsx';
import type examples from './examples.json';

/** The texts of the components in one language. */
export type Examples = (typeof examples)['en-US'];

/** One component in its states; the names of the states are in English. */
export interface Story {
  name: string;
  states: Readonly<Record<string, ReactNode>>;
  /** Each state takes the whole width. */
  isWide?: boolean;
}

/** The stories of one section of the gallery. */
export type Stories = (examples: Examples) => readonly Story[];

/** Holds the value of a field, so that the field can be used. */
export function Controlled<Value>({
  initial,
  children,
}: {
  initial: Value;
  children: (field: { value: Value; onChange: (value: Value) => void }) => ReactNode;
}) {
  const [value, setValue] = useState(initial);
  return children({ value, onChange: (next) => setValue(() => next) });
}

/** A button that shows what cannot be on the page at the same time, such as a dialog. */
export function Opener({
  label,
  children,
}: {
  label: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div data-opener>
      <Button variant="secondary" onPress={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen ? children(() => setIsOpen(false)) : null}
    </div>
  );
}

/** Closes a dialog that cannot be closed otherwise, because its action is running. */
export function CloseButton({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="quiet" onPress={onPress}>
      <span lang="en">Close the example</span>
    </Button>
  );
}

/** A handler for events that change nothing in the gallery. */
export const ignore = () => undefined;
