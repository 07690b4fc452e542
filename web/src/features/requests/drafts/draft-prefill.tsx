import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setPrefillConsent } from '@diwan/contract/requests/drafts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { isSameAnswer } from './draft-merge.ts';
import { loadSuggestions, type Suggestion, type Suggestions } from './draft-server.ts';
import type { FormStep } from '../form-fields/form-fields-form.ts';

interface DraftPrefillProps {
  serviceId: number;
  step: FormStep;
  isFirst: boolean;
  answers: Readonly<Record<string, unknown>>;
  suggestions: Suggestions;
  /** Other suggestions; those no longer agreed to are `gone`. */
  onSuggestions: (suggestions: Suggestions, gone: readonly Suggestion[]) => void;
}

const isEarlier = ({ origin }: Suggestion) => origin === 'earlierRequest';

/**
 * Which answers of this step were filled in for the person, and from where; on the first step also
 * whether earlier requests may be used.
 */
export function DraftPrefill({
  serviceId,
  step,
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
    step.fields.find((field) => field.name === name)?.title[language];
  const used = suggestions.fields.filter(
    ({ name, value }) => titleOf(name) !== undefined && isSameAnswer(answers[name], value),
  );
  const lines = (['uaePass', 'profile', 'earlierRequest'] as const)
    .map((origin) => ({
      origin,
      titles: used.filter((each) => each.origin === origin).map(({ name }) => titleOf(name) ?? ''),
    }))
    .filter(({ titles }) => titles.length > 0);
  const asks = isFirst && (suggestions.hasEarlier || suggestions.isAgreed);
  if (lines.length === 0 && !asks) return null;

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
  return (
    <section
      aria-label={t('prefill.label')}
      className="rounded-lg border border-ink-100 bg-desert-50 p-4 text-sm"
    >
      {lines.length > 0 ? (
        <div className="flex gap-3">
          <span className="flex h-[1lh] shrink-0 items-center text-gold-700">
            <Sparkles aria-hidden size={18} />
          </span>
          <div className="flex flex-col gap-1">
            <p className="font-medium">{t('prefill.lead')}</p>
            {lines.map(({ origin, titles }) => (
              <p key={origin} className="text-ink-700">
                {t(`prefill.${origin}`, { fields: list(titles) })}
              </p>
            ))}
          </div>
        </div>
      ) : null}
      {asks ? (
        <div
          className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 ${lines.length > 0 ? 'mt-3 border-t border-ink-100 pt-3' : ''}`}
        >
          <p className="min-w-0 grow basis-60 text-ink-700">
            {t(suggestions.isAgreed ? 'prefill.agreed' : 'prefill.ask')}
          </p>
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
    </section>
  );
}
