import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showFonts } from '#lib/i18n/fonts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { ShownLanguage, useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import type { DiscountRule } from '@diwan/contract/catalogue/fees';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { makeTestAnswers } from '../model/test-answers.ts';

interface PreviewedForm {
  document: DraftDocument;
  /** Those of its agency. */
  discounts: readonly DiscountRule[];
  step: number;
  onStep: (step: number) => void;
  start: Record<string, unknown>;
  /** The name of a file that stands for each document; undefined for none. */
  testFile: string | undefined;
}

const widths = { phone: 'max-w-[390px]', desk: 'max-w-form' };

/**
 * The draft as applicants see it, in each language and width. `renderForm` shows the form: it is a
 * part of another feature.
 */
export function PreviewView({
  document,
  renderForm,
}: {
  document: DraftDocument;
  renderForm: (form: PreviewedForm) => ReactNode;
}) {
  const { t } = useTranslation(['designer', 'shell']);
  const { language: ofPage } = useLanguage();
  const [language, setLanguage] = useState<Language>(ofPage);
  const [width, setWidth] = useState<keyof typeof widths>('phone');
  const [step, setStep] = useState(0);
  const [fill, setFill] = useState({ count: 0, answers: {} });
  const { data: agencies } = useCall(getAgencyRecords, { enabled: document.agencyId !== null });
  const discounts = agencies?.find(({ id }) => id === document.agencyId)?.discounts ?? [];
  useEffect(() => void showFonts(language), [language]);
  const { steps } = document.form;
  const at = Math.min(step, steps.length);
  const start = (answers: Record<string, unknown>) => {
    setFill(({ count }) => ({ count: count + 1, answers }));
    setStep(0);
  };
  return (
    <div className="flex flex-col gap-5">
      <p className="max-w-form text-ink-600">{t('preview.lead')}</p>
      <div className="grid gap-4 sm:grid-cols-3" data-toolbar>
        <SelectField
          label={t('preview.language')}
          value={language}
          onChange={(chosen) => setLanguage(chosen as Language)}
          choices={languages.map((each) => ({
            value: each,
            label: t(`languages.${each}`, { ns: 'shell' }),
          }))}
        />
        <SelectField
          label={t('preview.width')}
          value={width}
          onChange={(chosen) => setWidth(chosen as keyof typeof widths)}
          choices={Object.keys(widths).map((each) => ({
            value: each,
            label: t(`preview.widths.${each}`),
          }))}
        />
        <SelectField
          label={t('preview.step')}
          value={String(at)}
          onChange={(chosen) => setStep(Number(chosen))}
          choices={[
            ...steps.map((each, index) => ({
              value: String(index),
              label: t('preview.stepOf', {
                number: index + 1,
                title: each.title[ofPage] || each.name,
              }),
            })),
            { value: String(steps.length), label: t('preview.end') },
          ]}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          variant="secondary"
          onPress={() => start(makeTestAnswers(document.form, serverToday(), t('preview.sample')))}
        >
          {t('preview.fill')}
        </Button>
        <Button size="sm" variant="quiet" onPress={() => start({})}>
          {t('preview.clear')}
        </Button>
      </div>
      <section
        aria-label={t('preview.label')}
        className="flex justify-center rounded-lg border border-ink-100 bg-desert-50 p-3 md:p-6"
      >
        <div
          lang={language}
          dir={directionOf(language)}
          data-surface
          className={`w-full rounded-lg border border-ink-200 bg-white p-4 ${widths[width]}`}
        >
          <ShownLanguage value={language}>
            <Suspense fallback={<SkeletonRows count={4} />}>
              <div key={fill.count}>
                {renderForm({
                  document,
                  discounts,
                  step: at,
                  onStep: setStep,
                  start: fill.answers,
                  testFile: Object.keys(fill.answers).length > 0 ? t('preview.file') : undefined,
                })}
              </div>
            </Suspense>
          </ShownLanguage>
        </div>
      </section>
    </div>
  );
}
