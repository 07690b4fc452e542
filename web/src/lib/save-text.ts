/** Hands a text to the browser's own download. */
export function saveText(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the address after this turn.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
