/**
 * Tells react-aria the language where it looks first, its own way for pages whose server knows it;
 * a provider around everything would bring 2 kB of it to
 * the first page (decision 0008). What is on the screen hears of a change by `languagechange`; the
 * menus of the header stay there once they were used.
 */
export function tellReactAria(locale: string): void {
  Object.assign(window, { [Symbol.for('react-aria.i18n.locale')]: locale });
  window.dispatchEvent(new Event('languagechange'));
}
