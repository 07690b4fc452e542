/** Each text in new elements and in other words, as a page translator of the browser does. */
function translateTexts(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.trim() || text.parentElement?.closest('script,style,[translate=no],font'))
      continue;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = `«${text.data}»`;
    outer.append(inner);
    text.replaceWith(outer);
  }
}

/** Translates the page, and again after each change. Gives the function that ends it. */
export function translatePage(): () => void {
  translateTexts();
  const observer = new MutationObserver(() => translateTexts());
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  return () => observer.disconnect();
}
