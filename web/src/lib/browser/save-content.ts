/** Hands content to the browser's own download. */
export function saveContent(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the address after this turn.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function saveText(
  text: string,
  fileName: string,
  mediaType: 'text/plain' | 'text/csv' = 'text/plain',
): void {
  saveContent(new Blob([text], { type: `${mediaType};charset=utf-8` }), fileName);
}
