import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { DesignProblem } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { Language } from '@diwan/contract/wire/languages';
import {
  findPart,
  getAt,
  isPage,
  setAt,
  withoutUndefined,
  type Place,
} from '../model/document-parts.ts';

/** What the panel of a part gets. */
export interface PanelProps {
  document: DraftDocument;
  place: Place;
  problems: readonly DesignProblem[];
  /** `key`: the field that is typed in; typing in it is one step of the undo. */
  onChange: (document: DraftDocument, key?: string) => void;
  onSelect: (place: Place) => void;
  /** Texts that are not written yet are shown as errors: after the list of problems was used. */
  showsMissing: boolean;
}

/** A problem in words. */
export function useProblemText(): (problem: DesignProblem) => string {
  const { t } = useTranslation('designer');
  const format = useFormat();
  return ({ code, params }) =>
    t(`problems.codes.${code}`, {
      ...Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, `\u2068${value}\u2069`]),
      ),
      language: params.language ? format.language(params.language as Language) : '',
      ...(typeof params.count === 'number' ? { count: params.count } : {}),
    });
}

/** The properties of the part at `place`, with the problems of each. */
export function usePart<Part extends object>({
  document,
  place,
  problems,
  onChange,
  showsMissing,
}: PanelProps) {
  const problemText = useProblemText();
  const part = (isPage(place) ? document : getAt(document, place)) as Part;
  const own = problems
    .map((problem) => ({ ...problem, at: findPart(problem.place) }))
    .filter(
      ({ at, severity, code }) =>
        at.place === place && severity === 'error' && (showsMissing || code !== 'textMissing'),
    );
  const at = (property: string) =>
    own.filter(({ at }) => at.property === property || at.property.startsWith(`${property}.`));
  return {
    part,
    /** Sets a property of the part; undefined removes it. */
    set: <Name extends keyof Part & string>(property: Name, value: Part[Name] | undefined) => {
      const changed = withoutUndefined({ ...part, [property]: value });
      const next = isPage(place)
        ? (changed as unknown as DraftDocument)
        : setAt(document, place, changed);
      onChange(next, `${place}.${property}`);
    },
    /** The first problem of a property. */
    errorOf: (property: string): string | undefined => {
      const [first] = at(property);
      return first && problemText(first);
    },
    /** The problems of a text, by language where they concern one. */
    textErrorOf: (property: string): string | Partial<Record<Language, string>> | undefined => {
      const found = at(property);
      const [first] = found;
      if (!first) return undefined;
      if (!found.some(({ params }) => params.language)) return problemText(first);
      return Object.fromEntries(
        found.map((problem) => [problem.params.language, problemText(problem)]),
      );
    },
    /** Problems of the part itself, or of properties without their own field. */
    errorsBut: (shown: readonly string[]): string[] =>
      own
        .filter(({ at }) => !shown.includes(at.property.split('.')[0] ?? ''))
        .map((problem) => problemText(problem)),
  };
}
