import type { Language } from '@diwan/contract/wire/languages';

/**
 * The headers that every call has, those for files of texts included; without a content type where
 * `contentType` is null. Source: specification §7.
 */
export function callHeaders(
  language: Language,
  token: string | null,
  contentType: string | null = 'application/json',
): Record<string, string> {
  return {
    'Accept-Language': language,
    'X-Content-Type-Options': 'nosniff',
    ...(contentType === null ? {} : { 'Content-Type': contentType }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}
