export type Params = Readonly<Record<string, string | undefined>>;

// No pattern that ends in a repetition: it takes minutes for a path of a hundred thousand slashes.
function splitPath(path: string): string[] {
  const parts = path.replace(/^\//, '').split('/');
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

/** Leaves an encoded slash in a part, and a part that cannot be decoded, as they are. */
function decodePath(pathname: string): string {
  try {
    return pathname
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return pathname;
  }
}

/** `/a/:b?` is `/a/:b` and `/a`. */
const variantsOf = (path: string) =>
  path.endsWith('?') ? [path.slice(0, -1), path.slice(0, path.lastIndexOf('/'))] : [path];

function matchParts(pattern: readonly string[], parts: readonly string[]): Params | undefined {
  if (pattern[0] === '*') return {};
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':')) {
      if (part === '') return undefined;
      params[name.slice(1)] = part.replaceAll('%2F', '/');
    } else if (name.toLowerCase() !== part.toLowerCase()) return undefined;
  }
  return params;
}

/** Fixed parts count more than parameters; `*` matches what nothing else does. */
const scoreOf = (pattern: readonly string[]) =>
  pattern[0] === '*' ? 0 : 1 + pattern.filter((part) => !part.startsWith(':')).length;

/**
 * The route of a path and its parameters, in any case of letters, with or without slashes at the
 * end. A path is fixed parts, parameters (`:name`), at its end an optional one (`:name?`), or `*`.
 */
export function matchRoute<Route extends { path: string }>(
  routes: readonly Route[],
  pathname: string,
): { route: Route; params: Params } | undefined {
  const parts = splitPath(decodePath(pathname));
  let best: { route: Route; params: Params } | undefined;
  let bestScore = -1;
  for (const route of routes)
    for (const variant of variantsOf(route.path)) {
      const pattern = splitPath(variant);
      const params = matchParts(pattern, parts);
      if (!params || scoreOf(pattern) <= bestScore) continue;
      best = { route, params };
      bestScore = scoreOf(pattern);
    }
  return best;
}
