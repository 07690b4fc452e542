import { normalizeText } from '#platform/core/normalize-text.ts';
import type { Database } from '#platform/database/database.ts';
import { maximumSearchLength } from '@diwan/contract/catalogue/searches';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { mayBePersonal } from './personal-text.ts';
import * as store from './searches.store.ts';

/** Counts searches in memory and adds them to the database in the background. */
export interface SearchLog {
  /** Counts a search, or with a service that it was opened from one. Ignores what may be personal. */
  record(text: string, language: Language, serviceId?: number): void;
  /** Stores what was counted since the last time. */
  flush(): Promise<void>;
}

// More different texts between two flushes are not counted.
const maximumTexts = 2000;

/** Opens an empty log. */
export function openSearchLog(
  database: Database,
  catalogue: Pick<Catalogue, 'search' | 'findService'>,
): SearchLog {
  type Counts = {
    language: Language;
    text: string;
    searches: number;
    openings: Map<number, number>;
  };
  let counts = new Map<string, Counts>();
  return {
    record(typed, language, serviceId) {
      const text = normalizeText(typed);
      if (text.length < 2 || text.length > maximumSearchLength) return;
      if (mayBePersonal(text) || mayBePersonal(typed)) return;
      if (serviceId !== undefined && !catalogue.findService(serviceId)) return;
      const key = `${language} ${text}`;
      let known = counts.get(key);
      if (!known) {
        if (counts.size >= maximumTexts) return;
        known = { language, text, searches: 0, openings: new Map() };
        counts.set(key, known);
      }
      if (serviceId === undefined) known.searches += 1;
      else known.openings.set(serviceId, (known.openings.get(serviceId) ?? 0) + 1);
    },
    async flush() {
      if (counts.size === 0) return;
      const taken = counts;
      counts = new Map();
      const counted = [];
      for (const each of taken.values()) {
        counted.push({ ...each, results: catalogue.search(each.text, each.language).count });
        // Other calls have their turn.
        await new Promise(setImmediate);
      }
      await store.addSearches(database, dayInDubai(new Date()), counted);
    },
  };
}
