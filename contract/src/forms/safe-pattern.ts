/**
 * The most ways in which a pattern may be tried on one text; each is at most as many steps as the
 * text has characters.
 */
const mostWays = 60_000;

/**
 * What a part of a pattern costs: in how many ways it can be tried on a text, and whether it always
 * takes the same number of characters.
 */
interface Cost {
  ways: number;
  isFixed: boolean;
}

class Faulty extends Error {}

/** Reads a pattern of the safe subset; every construct that is not named here is refused. */
class Reader {
  readonly #text: string;
  readonly #longest: number;
  #at = 0;

  constructor(text: string, longest: number) {
    this.#text = text;
    this.#longest = longest;
  }

  whole(): Cost {
    const cost = this.#choice();
    if (this.#at < this.#text.length) throw new Faulty('has a bracket that nothing opens');
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
      ways: parts.reduce((sum, part) => sum + part.ways, 0),
      isFixed: parts.length === 1 && parts.every((part) => part.isFixed),
    };
  }

  #row(): Cost {
    const row: Cost = { ways: 1, isFixed: true };
    while (this.#at < this.#text.length && this.#next() !== '|' && this.#next() !== ')') {
      const part = this.#repeated(this.#atom());
      row.ways *= part.ways;
      row.isFixed &&= part.isFixed;
    }
    return row;
  }

  #atom(): Cost {
    const one: Cost = { ways: 1, isFixed: true };
    const sign = this.#next();
    this.#at += 1;
    if (sign === '(') {
      if (this.#next() === '?') {
        if (this.#text[this.#at + 1] !== ':') throw new Faulty('looks around or names a group');
        this.#at += 2;
      }
      const inner = this.#choice();
      if (this.#next() !== ')') throw new Faulty('has a bracket that nothing closes');
      this.#at += 1;
      return inner;
    }
    if (sign === '[') {
      // `[]` is a class of nothing here, not one that holds the bracket as in other languages.
      while (this.#next() !== ']') {
        if (this.#at >= this.#text.length) throw new Faulty('has a bracket that nothing closes');
        this.#at += this.#next() === '\\' ? 2 : 1;
      }
      this.#at += 1;
      return one;
    }
    if (sign === '\\') {
      const escaped = /^(?:[pP]\{[\w=]+\}|u[0-9a-fA-F]{4}|[dDwWsSnt]|[^\w\s])/u.exec(
        this.#text.slice(this.#at),
      );
      if (!escaped) throw new Faulty(`has \\${this.#next()}, which is not in the subset`);
      this.#at += escaped[0].length;
      return one;
    }
    if ('*+?{'.includes(sign)) throw new Faulty('repeats nothing');
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
    if (/[*+?{]/.test(this.#next())) throw new Faulty('repeats a repetition');
    // Each number of repetitions is a way, and each repetition has all the ways of the part.
    const ways =
      part.ways === 1 && part.isFixed
        ? Math.max(1, most - least + 1)
        : Math.max(1, most - least + 1) * part.ways ** Math.max(1, most);
    return { ways, isFixed: part.isFixed && most === least };
  }
}

/**
 * What keeps a pattern from being used on texts of up to `longest` characters, as the end of a
 * sentence; undefined when nothing does. A pattern is judged by an upper bound
 * of the ways in which a backtracking matcher can try it, so that none can hang: no nested
 * repetition, no looking around, no back references.
 */
export function faultOfPattern(pattern: string, longest: number): string | undefined {
  try {
    void new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return 'does not compile';
  }
  try {
    return new Reader(pattern, longest).whole().ways > mostWays
      ? 'could take too long on a long answer'
      : undefined;
  } catch (error) {
    if (error instanceof Faulty) return error.message;
    throw error;
  }
}
