import { Eye } from 'lucide-react';
import { useAction } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { LegalText } from '#ui/values/legal-text.tsx';
import { previewLegalText } from '@diwan/contract/content/legal-pages';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';

/** Shows what the typed texts of a section make, with the facts filled in, before they are published. */
export function LegalPreview({
  textKey,
  texts,
}: {
  textKey: string;
  texts: Record<Language, string>;
}) {
  const { t } = useTranslation(['texts', 'shell']);
  const preview = useAction(previewLegalText, { skipErrorHandling: true });
  const { data, error, isPending, variables } = preview;
  const isCurrent = JSON.stringify(variables?.body?.texts) === JSON.stringify(texts);
  return (
    <section className="flex flex-col items-start gap-3">
      <Button
        variant="secondary"
        icon={<Eye aria-hidden size={18} />}
        isPending={isPending}
        onPress={() => preview.mutate({ body: { key: textKey, texts } })}
      >
        {t('legal.preview')}
      </Button>
      {error ? <ErrorAlert error={error} /> : null}
      {data ? (
        <>
          <p role="status" className="text-sm text-ink-600">
            {isCurrent ? '' : t('legal.previewOld')}
          </p>
          <div className="grid w-full items-start gap-6 lg:grid-cols-3">
            {languages.map((language) => (
              <section
                key={language}
                lang={language}
                dir={directionOf(language)}
                aria-label={t(`shell:languages.${language}`)}
                data-surface
                className="flex min-w-0 flex-col gap-4 rounded-lg border border-ink-100 bg-white p-4"
              >
                {data.sections[language].length === 0 ? (
                  <p className="text-ink-600">{t('legal.previewEmpty')}</p>
                ) : (
                  data.sections[language].map(({ id, title, text }) => (
                    <div key={id}>
                      <h3 className="mb-2 text-lg">{title}</h3>
                      <LegalText text={text} />
                    </div>
                  ))
                )}
              </section>
            ))}
          </div>
        </>
      ) : null}
    </section>
  );
}
