import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '@diwan/contract/wire/languages';
import { storedLanguage } from './stored-language.ts';
import { textsOf } from './texts.ts';

const fetchTexts: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    textsOf(language as Language, namespace).then(
      (texts) => done(null, texts as object),
      (error: unknown) => done(error as Error, false),
    );
  },
};

/** `nouns` are there before the first page is drawn; others come when they are asked for. */
export async function startTranslations(nouns: readonly string[]): Promise<void> {
  await i18next
    .use(fetchTexts)
    .use(initReactI18next)
    .init({
      lng: storedLanguage(),
      fallbackLng: false,
      load: 'currentOnly',
      ns: [...nouns],
      defaultNS: 'shell',
      partialBundledLanguages: true,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
}
