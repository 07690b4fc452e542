import { cleanIdentifier } from '@diwan/contract/wire/typed-text';

/**
 * A typed number for the server: Arabic-Indic and Urdu digits by Latin ones, without invisible marks
 * and space around it.
 */
export function toLatinDigits(text: string): string {
  return cleanIdentifier(text).replaceAll('\u066B', '.').replaceAll('\u066C', '');
}
