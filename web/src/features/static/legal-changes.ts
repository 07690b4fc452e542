import type { LegalSectionText } from '@diwan/contract/content/legal-pages';

/** A section of which lines differ between two versions of a page. */
interface SectionChange {
  title: string;
  removed: readonly string[];
  added: readonly string[];
}

const linesOf = (section: LegalSectionText | undefined): string[] =>
  section === undefined ? [] : [section.title, ...section.text.split('\n')];

/**
 * What differs from an older version, by section: those of the older one in its order, then new ones. A
 * line that only moved within its section is no change.
 */
export function listSectionChanges(
  older: readonly LegalSectionText[],
  newer: readonly LegalSectionText[],
): SectionChange[] {
  const ids = [...new Set([...older, ...newer].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const [before, after] = [older, newer].map((all) => all.find((each) => each.id === id));
    const [old, current] = [linesOf(before), linesOf(after)];
    const removed = old.filter((line) => !current.includes(line));
    const added = current.filter((line) => !old.includes(line));
    return removed.length + added.length === 0
      ? []
      : [{ title: (after ?? before)?.title ?? '', removed, added }];
  });
}
