/** Words shorter than this are taken as they are typed: one letter makes another word of them. */
export const shortestMisspelt = 5;

function goesOn(word: string, from: number, other: string, otherFrom: number): boolean {
  for (let at = from; at < word.length; at += 1)
    if (word.charCodeAt(at) !== other.charCodeAt(at - from + otherFrom)) return false;
  return true;
}

/**
 * Whether `word` is one slip away from `other` or from the beginning of it, because people look at
 * suggestions before they have finished: one letter
 * too many, too few, another one, or two that changed places.
 */
export function isNear(word: string, other: string): boolean {
  if (word.length > other.length + 1) return false;
  let same = 0;
  while (same < word.length && word.charCodeAt(same) === other.charCodeAt(same)) same += 1;
  if (same === word.length) return true;
  return (
    goesOn(word, same + 1, other, same + 1) ||
    goesOn(word, same + 1, other, same) ||
    goesOn(word, same, other, same + 1) ||
    (word[same] === other[same + 1] &&
      word[same + 1] === other[same] &&
      goesOn(word, same + 2, other, same + 2))
  );
}
