/**
 * Sets the locale of react-aria in the place that it reads first, which its script for pages that a
 * server renders sets too. Its provider would add 0.8 kB to the first page (decision 0008).
 * Rendered components follow a change by the event `languagechange`.
 */
export function setReactAriaLocale(locale: string): void {
  Object.assign(window, { [Symbol.for('react-aria.i18n.locale')]: locale });
  window.dispatchEvent(new Event('languagechange'));
}
