/**
 * Runs in a page: finds accessibility problems beyond axe. Returns them as texts. Playwright sends
 * the source of this function to the page, so all its parts are inside.
 */
export function findAccessibilityProblems(language: string): string[] {
  const isRtl = language !== 'en-US';
  const describe = (element: Element) => {
    const text = element.textContent || element.getAttribute('aria-label') || element.id;
    const tag = element.tagName.toLowerCase();
    return `${tag} "${text.trim().slice(0, 40)}" ${element.outerHTML.slice(0, 110)}`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 1;

  function findLayoutProblems(): string[] {
    const { scrollWidth, clientWidth } = document.documentElement;
    const ordered = [...document.querySelectorAll<HTMLElement>('[tabindex]')].filter(
      (element) => element.tabIndex > 0,
    );
    return [
      ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} px`] : []),
      ...ordered.map((element) => `positive tabindex: ${describe(element)}`),
    ];
  }

  // WCAG 2.2, 2.5.8: 24 px, except links within a sentence; a hidden input is pressed by its label.
  function findTargetProblem(element: Element): string[] {
    const target = element.closest('label') ?? element;
    if (
      !isShown(target) ||
      element.matches('.row-link, [type=file]') ||
      element.closest('[inert], [aria-hidden=true]')
    )
      return [];
    const isInSentence =
      element.matches('a') &&
      getComputedStyle(element).display === 'inline' &&
      element.parentElement?.textContent?.trim() !== element.textContent?.trim();
    const { width, height } = target.getBoundingClientRect();
    return !isInSentence && (width < 23.9 || height < 23.9)
      ? [`target of ${Math.round(width)} x ${Math.round(height)} px: ${describe(element)}`]
      : [];
  }
  const targets =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=option], [role=menuitem]';

  // Directional icons are mirrored from right to left.
  const directional =
    /lucide-(arrow|chevron|chevrons|move)-(left|right)|lucide-log-(in|out)|lucide-(undo|redo|send|arrow-up-right)\b/;
  const isUnmirrored = (icon: Element) =>
    isRtl &&
    directional.test(icon.getAttribute('class') ?? '') &&
    isShown(icon) &&
    getComputedStyle(icon).scale !== '-1 1';

  function findTextProblems(node: Node): string[] {
    const parent = node.parentElement;
    const text = node.textContent ?? '';
    if (!parent || parent.closest('script, style, noscript') || !isShown(parent)) return [];
    const isIsolated =
      getComputedStyle(parent).direction === 'ltr' && parent.closest('bdi, input, [dir=ltr]');
    const hasLanguage = /^(ar|ur)/.test(parent.closest('[lang]')?.getAttribute('lang') ?? '');
    const isArabicScript = /[\u0620-\u06ff]{2}/.test(text);
    return [
      ...(/\+971[\d ]|DW\d\d-\d|@diwan\.example/.test(text) && !isIsolated
        ? [`not isolated from right-to-left text: ${describe(parent)}`]
        : []),
      ...(!isRtl && isArabicScript && !hasLanguage
        ? [`without a lang attribute: ${describe(parent)}`]
        : []),
    ];
  }
  function listTextNodes(): Node[] {
    const nodes: Node[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node);
    return nodes;
  }

  // Less motion is preferred: nothing moves automatically.
  function findMotion(): string[] {
    const moving = document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && Number(effect?.getComputedTiming().endTime) > 1000,
      );
    const playing = [...document.querySelectorAll('video')].filter((video) => !video.paused);
    return [
      ...moving.map(() => 'moves although less motion is preferred'),
      ...playing.map(() => 'a video plays although less motion is preferred'),
    ];
  }

  return [
    ...findLayoutProblems(),
    ...[...document.querySelectorAll(targets)].flatMap(findTargetProblem),
    ...[...document.querySelectorAll('svg.lucide')]
      .filter(isUnmirrored)
      .map((icon) => `is not mirrored: ${icon.getAttribute('class')}`),
    ...listTextNodes().flatMap(findTextProblems),
    ...findMotion(),
  ];
}

/** Runs in a page: text that its box cuts off. */
export function findClippedTexts(): string[] {
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
 * Runs in a page with forced colours: each control has an edge, and the focused one differs from
 * the others.
 */
export function findForcedColourProblems(): string[] {
  const problems: string[] = [];
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
      problems.push(`no edge in forced colours: ${name(element)}`);
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
    if (!seen) problems.push(`invisible focus in forced colours: ${name(element)}`);
  }
  return problems;
}
