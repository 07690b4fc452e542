import { useState } from 'react';
import type { OpenDraft } from './draft-in-hand.ts';
import { isSameAnswer } from './draft-merge.ts';
import { withSuggestions, type Suggestion, type Suggestions } from './draft-server.ts';

interface Prefill {
  suggestions: Suggestions;
  /** How often answers were filled in or taken out. */
  fills: number;
  use: (next: Suggestions, gone: readonly Suggestion[]) => void;
}

/** Fills in what is suggested where nothing was answered, and takes out what was only suggested. */
export function usePrefill({ saver, suggestions: first }: OpenDraft): Prefill {
  const [suggestions, setSuggestions] = useState(first);
  const [fills, setFills] = useState(0);
  return {
    suggestions,
    fills,
    use: (next, gone) => {
      setSuggestions(next);
      saver.change((draft) => {
        const isGone = (name: string, value: unknown) =>
          gone.some((each) => each.name === name && isSameAnswer(each.value, value));
        const rest = Object.fromEntries(
          Object.entries(draft.answers).map(([name, value]) => [
            name,
            isGone(name, value) ? '' : value,
          ]),
        );
        return withSuggestions({ ...draft, answers: rest }, next.fields);
      });
      setFills((before) => before + 1);
    },
  };
}
