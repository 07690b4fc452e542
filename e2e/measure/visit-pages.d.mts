import type { Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';

export interface Visit {
  language: Language;
  width: number;
  theme: 'light' | 'dark';
  entry: { name: string; as?: string };
  /** Reports something about this visit. */
  say: (text: string) => void;
}
export const languages: readonly Language[];
export function visitPages(
  choice: {
    widths: readonly number[];
    themes: readonly ('light' | 'dark')[];
    /** Names, beginnings of addresses, demo users or "public"; empty for all. */
    filters: readonly string[];
    /** In per cent. */
    textSize?: number;
  },
  handlers: {
    visit: (page: Page, visit: Visit) => Promise<void>;
    report: (text: string) => void;
  },
): Promise<void>;
