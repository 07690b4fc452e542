/** Runs in a page: what a machine can see of its access beyond axe. Answers faults in words. */
export function lookAtPage(language: string): string[] {
  const faults: string[] = [];
  const isRtl = language !== 'en-US';
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.textContent || element.getAttribute('aria-label') || element.id).trim().slice(0, 40)}" ${element.outerHTML.slice(0, 110)}`;
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 1;

  if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
    faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} px`);
  for (const element of document.querySelectorAll<HTMLElement>('[tabindex]'))
    if (element.tabIndex > 0) faults.push(`order of its own: ${name(element)}`);

  // WCAG 2.2, 2.5.8: 24 px, but for links within a sentence; a hidden input is pressed by its
  // label.
  for (const element of document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=option], [role=menuitem]',
  )) {
    const target = element.closest('label') ?? element;
    if (!isShown(target) || element.matches('.row-link, [type=file]') || element.closest('[inert]'))
      continue;
    const isInSentence =
      element.matches('a') &&
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent ?? '').trim() !== element.textContent?.trim();
    const { width, height } = target.getBoundingClientRect();
    if (!isInSentence && (width < 23.9 || height < 23.9))
      faults.push(`target of ${Math.round(width)} x ${Math.round(height)} px: ${name(element)}`);
  }

  // What points somewhere points the other way from right to left.
  for (const icon of document.querySelectorAll('svg.lucide')) {
    const points =
      /lucide-(arrow|chevron|chevrons|move)-(left|right)|lucide-log-(in|out)|lucide-(undo|redo|send|arrow-up-right)\b/.test(
        icon.getAttribute('class') ?? '',
      );
    if (isRtl && points && isShown(icon) && getComputedStyle(icon).scale !== '-1 1')
      faults.push(`does not mirror: ${icon.getAttribute('class')}`);
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent ?? '';
    if (!parent || parent.closest('script, style, noscript') || !isShown(parent)) continue;
    if (
      /\+971[\d ]|DW\d\d-\d|@diwan\.example/.test(text) &&
      (getComputedStyle(parent).direction !== 'ltr' || !parent.closest('bdi, input, [dir=ltr]'))
    )
      faults.push(`not set apart from right to left: ${name(parent)}`);
    if (
      !isRtl &&
      /[\u0620-\u06ff]{2}/.test(text) &&
      !/^(ar|ur)/.test(parent.closest('[lang]')?.getAttribute('lang') ?? '')
    )
      faults.push(`its language is not said: ${name(parent)}`);
  }

  // Asked for less motion: nothing moves by itself.
  for (const animation of document.getAnimations()) {
    const { endTime } = animation.effect?.getComputedTiming() ?? {};
    if (animation.playState === 'running' && Number(endTime) > 1000)
      faults.push('moves, though less motion was asked for');
  }
  for (const video of document.querySelectorAll('video'))
    if (!video.paused) faults.push('a film plays, though less motion was asked for');
  return faults;
}

/** Runs in a page: text that its box cuts off. */
export function findClipped(): string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      if (
        !hasText ||
        box.width <= 1 ||
        box.height <= 1 ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        return false;
      return (
        (/hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (/hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 1)
      );
    })
    .map((element) => `cuts off "${(element.textContent ?? '').trim().slice(0, 60)}"`);
}

/**
 * Runs in a page whose colours the system decides: each control can be told from the ground, and
 * the one in focus from the others.
 */
export function lookAtForcedColours(): string[] {
  const faults: string[] = [];
  const hasEdge = (style: CSSStyleDeclaration) =>
    (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) ||
    (style.borderBlockStartStyle !== 'none' && parseFloat(style.borderBlockStartWidth) >= 1);
  const controls = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), textarea, select, summary, [role=tab]',
    ),
  ].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'),
  );
  const name = (element: HTMLElement) =>
    `${element.tagName.toLowerCase()} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40)}"`;
  for (const element of controls.filter(
    (each) =>
      each.matches('button, input, textarea, select') && each.getBoundingClientRect().width > 1,
  )) {
    if (!hasEdge(getComputedStyle(element)) && !element.closest('[data-surface]'))
      faults.push(`no edge in forced colours: ${name(element)}`);
  }
  for (const element of controls.slice(0, 40)) {
    element.focus();
    if (document.activeElement !== element) continue;
    const seen = [element, element.closest('label'), element.parentElement].some(
      (each) =>
        each &&
        getComputedStyle(each).outlineStyle !== 'none' &&
        parseFloat(getComputedStyle(each).outlineWidth) >= 2,
    );
    if (!seen) faults.push(`focus is not seen in forced colours: ${name(element)}`);
  }
  return faults;
}
