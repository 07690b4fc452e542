/**
 * The most attempts that a matcher may need on one text; each takes at most as many steps as the
 * text has characters.
 */
const maximumAttempts = 60_000;

/**
 * The cost of a part of a pattern: the number of attempts on a text, and whether it always matches
 * the same number of characters.
 */
interface Cost {
  attempts: number;
  isFixed: boolean;
}

class PatternError extends Error {}

/** Parses a pattern of the safe subset; it refuses every construct that is not named here. */
class PatternParser {
  readonly #text: string;
  readonly #longest: number;
  #at = 0;

  constructor(text: string, longest: number) {
    this.#text = text;
    this.#longest = longest;
  }

  parse(): Cost {
    const cost = this.#choice();
    if (this.#at < this.#text.length) throw new PatternError('has a bracket that nothing opens');
    return cost;
  }

  #next(): string {
    return this.#text[this.#at] ?? '';
  }

  #choice(): Cost {
    const parts = [this.#row()];
    while (this.#next() === '|') {
      this.#at += 1;
      parts.push(this.#row());
    }
    return {
      attempts: parts.reduce((sum, part) => sum + part.attempts, 0),
      isFixed: parts.length === 1 && parts.every((part) => part.isFixed),
    };
  }

  #row(): Cost {
    const row: Cost = { attempts: 1, isFixed: true };
    while (this.#at < this.#text.length && this.#next() !== '|' && this.#next() !== ')') {
      const part = this.#repeated(this.#atom());
      row.attempts *= part.attempts;
      row.isFixed &&= part.isFixed;
    }
    return row;
  }

  #atom(): Cost {
    const one: Cost = { attempts: 1, isFixed: true };
    const sign = this.#next();
    this.#at += 1;
    if (sign === '(') {
      if (this.#next() === '?') {
        if (this.#text[this.#at + 1] !== ':')
          throw new PatternError('uses lookaround or a named group');
        this.#at += 2;
      }
      const inner = this.#choice();
      if (this.#next() !== ')') throw new PatternError('has a bracket that nothing closes');
      this.#at += 1;
      return inner;
    }
    if (sign === '[') {
      // In JavaScript `[]` is an empty class; in other languages it begins a class with the
      // bracket.
      while (this.#next() !== ']') {
        if (this.#at >= this.#text.length)
          throw new PatternError('has a bracket that nothing closes');
        this.#at += this.#next() === '\\' ? 2 : 1;
      }
      this.#at += 1;
      return one;
    }
    if (sign === '\\') {
      const escaped = /^(?:[pP]\{[\w=]+\}|u[0-9a-fA-F]{4}|[dDwWsSnt]|[^\w\s])/u.exec(
        this.#text.slice(this.#at),
      );
      if (!escaped) throw new PatternError(`has \\${this.#next()}, which is not in the subset`);
      this.#at += escaped[0].length;
      return one;
    }
    if ('*+?{'.includes(sign)) throw new PatternError('repeats nothing');
    return one;
  }

  #repeated(part: Cost): Cost {
    const found = /^(?:([*+?])|\{(\d{1,5})(,(\d{0,5}))?\})\??/.exec(this.#text.slice(this.#at));
    if (!found) return part;
    this.#at += found[0].length;
    const [, sign, low, comma, high] = found;
    const least = sign ? Number(sign === '+') : Number(low);
    const most = Math.min(
      sign
        ? sign === '?'
          ? 1
          : this.#longest
        : comma === undefined
          ? least
          : Number(high || this.#longest),
      this.#longest,
    );
    if (/[*+?{]/.test(this.#next())) throw new PatternError('repeats a repetition');
    // Each number of repetitions is an attempt, and each repetition has all the attempts of the
    // part.
    const ways =
      part.attempts === 1 && part.isFixed
        ? Math.max(1, most - least + 1)
        : Math.max(1, most - least + 1) * part.attempts ** Math.max(1, most);
    return { attempts: ways, isFixed: part.isFixed && most === least };
  }
}

/**
 * Why a pattern cannot be used on texts of up to `longest` characters, as the end of a sentence;
 * undefined for a usable pattern. The check uses an upper bound of a backtracking matcher's
 * attempts, so that no pattern can hang: no nested repetition, no lookaround, no back references.
 */
export function findPatternProblem(pattern: string, longest: number): string | undefined {
  try {
    void new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return 'does not compile';
  }
  try {
    return new PatternParser(pattern, longest).parse().attempts > maximumAttempts
      ? 'could take too long on a long answer'
      : undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
