import { ChevronDown, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { setPrefillConsent } from '@diwan/contract/requests/drafts';
import type { FormStep } from '../form-fields/use-answers-form.ts';
import { isSameAnswer } from './draft-merge.ts';
import {
  loadSuggestions,
  type Suggestion,
  type Suggestions,
  withSuggestions,
} from './draft-server.ts';
import type { CurrentDraft } from './use-current-draft.ts';

interface Prefill {
  suggestions: Suggestions;
  /** Incremented when answers are filled in or removed. */
  fills: number;
  apply: (next: Suggestions, revoked: readonly Suggestion[]) => void;
}

/** Fills in suggestions where the answer is empty, and removes revoked ones. */
export function usePrefill({ saver, suggestions: first }: CurrentDraft): Prefill {
  const [suggestions, setSuggestions] = useState(first);
  const [fills, setFills] = useState(0);
  return {
    suggestions,
    fills,
    apply: (next, revoked) => {
      setSuggestions(next);
      saver.change((draft) => {
        const isRevoked = (name: string, value: unknown) =>
          revoked.some((each) => each.name === name && isSameAnswer(each.value, value));
        const rest = Object.fromEntries(
          Object.entries(draft.answers).map(([name, value]) => [
            name,
            isRevoked(name, value) ? '' : value,
          ]),
        );
        return withSuggestions({ ...draft, answers: rest }, next.fields);
      });
      setFills((before) => before + 1);
    },
  };
}

interface DraftPrefillProps {
  serviceId: number;
  /** The step that is shown, after those before it that were filled in and not asked. */
  steps: readonly FormStep[];
  isFirst: boolean;
  answers: Readonly<Record<string, unknown>>;
  suggestions: Suggestions;
  /** Receives new suggestions; `revoked` are the revoked ones. */
  onSuggestions: (suggestions: Suggestions, revoked: readonly Suggestion[]) => void;
}

const isEarlier = ({ origin }: Suggestion) => origin === 'earlierRequest';

/**
 * The prefilled answers of these steps and their sources; the first step also asks for consent to use
 * earlier requests.
 */
export function DraftPrefill({
  serviceId,
  steps,
  isFirst,
  answers,
  suggestions,
  onSuggestions,
}: DraftPrefillProps) {
  const { t } = useTranslation('drafts');
  const { language } = useLanguage();
  const { list } = useFormat();
  const [isLoading, setIsLoading] = useState(false);
  const consent = useAction(setPrefillConsent);
  const titleOf = (name: string) =>
    steps.flatMap(({ fields }) => fields).find((field) => field.name === name)?.title[language];
  const used = suggestions.fields.filter(
    ({ name, value }) => titleOf(name) !== undefined && isSameAnswer(answers[name], value),
  );
  const lines = (['uaePass', 'profile', 'earlierRequest'] as const)
    .map((origin) => ({
      origin,
      titles: used.filter((each) => each.origin === origin).map(({ name }) => titleOf(name) ?? ''),
    }))
    .filter(({ titles }) => titles.length > 0);
  const stepsDone = steps.slice(0, -1).map(({ title }) => title[language]);
  const asksConsent = isFirst && (suggestions.hasEarlier || suggestions.isAgreed);
  if (lines.length === 0 && !asksConsent) return null;

  const decide = (isAgreed: boolean) =>
    consent.mutate(
      { body: { isAgreed } },
      {
        onSuccess: async () => {
          setIsLoading(true);
          const next = await loadSuggestions(serviceId);
          setIsLoading(false);
          onSuggestions(
            { ...next, isAgreed },
            isAgreed ? [] : suggestions.fields.filter(isEarlier),
          );
        },
      },
    );
  const consentText = t(suggestions.isAgreed ? 'prefill.agreed' : 'prefill.ask');
  return (
    <section aria-label={t('prefill.label')} className="text-sm">
      {stepsDone.length > 0 ? (
        <p className="mb-3 text-ink-700">{t('prefill.stepsDone', { steps: list(stepsDone) })}</p>
      ) : null}
      <details className="group rounded-lg border border-ink-100 bg-desert-50">
        <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 px-4 py-2">
          <Sparkles aria-hidden size={18} className="shrink-0 text-gold-700" />
          <span className="min-w-0 grow font-medium">
            {lines.length > 0 ? t('prefill.label') : consentText}
          </span>
          <ChevronDown
            aria-hidden
            size={18}
            className="shrink-0 text-ink-500 transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <div className="flex flex-col gap-1 px-4 pb-4">
          {lines.length > 0 ? <p>{t('prefill.lead')}</p> : null}
          {lines.map(({ origin, titles }) => (
            <p key={origin} className="text-ink-700">
              {t(`prefill.${origin}`, { fields: list(titles) })}
            </p>
          ))}
          {asksConsent ? (
            <div
              className={classNames(
                'flex flex-wrap items-center justify-between gap-x-4 gap-y-2',
                lines.length > 0 ? 'mt-2 border-t border-ink-100 pt-3' : '',
              )}
            >
              {lines.length > 0 ? (
                <p className="min-w-0 grow basis-60 text-ink-700">{consentText}</p>
              ) : null}
              <Button
                variant="secondary"
                size="sm"
                isPending={consent.isPending || isLoading}
                onPress={() => decide(!suggestions.isAgreed)}
              >
                {t(suggestions.isAgreed ? 'prefill.takeBack' : 'prefill.agree')}
              </Button>
            </div>
          ) : null}
        </div>
      </details>
    </section>
  );
}
