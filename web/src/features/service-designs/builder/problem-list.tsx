import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import type { DesignProblem } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { findPart, type Place } from '../model/document-parts.ts';
import { listRows } from '../model/outline-rows.ts';
import { useProblemText } from '../panels/panel-props.ts';
import { useRowLabel } from './outline.tsx';

const colours = { error: 'text-red-700', warning: 'text-amber-800' };
const none: ReadonlySet<Place> = new Set();

/** Problems by severity, errors first, each with a button that opens the part at fault. */
export function ProblemList({
  document,
  problems,
  onOpen,
}: {
  document: DraftDocument;
  problems: readonly DesignProblem[];
  onOpen: (place: Place) => void;
}) {
  const { t } = useTranslation('designer');
  const problemText = useProblemText();
  const labelOf = useRowLabel();
  const rows = new Map(listRows(document, none).map((row) => [row.place, row]));
  if (problems.length === 0) return <Alert tone="success" title={t('problems.none')} />;
  const groups = (['error', 'warning'] as const)
    .map((severity) => ({
      severity,
      found: problems.filter((problem) => problem.severity === severity),
    }))
    .filter(({ found }) => found.length > 0);
  return (
    <div className="flex flex-col gap-8">
      {groups.map(({ severity, found }) => {
        const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
        return (
          <section key={severity} aria-label={t(`problems.${severity}s`, { count: found.length })}>
            <h2 className="text-lg">{t(`problems.${severity}s`, { count: found.length })}</h2>
            <p className="text-ink-600">{t(`problems.${severity}Hint`)}</p>
            <ul className="mt-3 flex flex-col divide-y divide-ink-100">
              {found.map((problem) => {
                const { place } = findPart(problem.place);
                const row = rows.get(place);
                const text = problemText(problem);
                return (
                  <li
                    key={`${problem.code} ${problem.place} ${problem.params.language ?? ''}`}
                    className="flex items-start gap-3 py-2"
                  >
                    <Icon
                      aria-hidden
                      size={20}
                      className={`mt-[calc((1lh-20px)/2)] shrink-0 ${colours[severity]}`}
                    />
                    <span className="min-w-0">
                      <button
                        type="button"
                        className="link text-start font-medium"
                        onClick={() => onOpen(place)}
                      >
                        <bdi>{row ? labelOf(row) : t('parts.about')}</bdi>
                      </button>
                      <span className="block wrap-anywhere">{text}</span>
                    </span>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
