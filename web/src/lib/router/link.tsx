import { useEffect, type ComponentProps, type MouseEvent } from 'react';
import { formatPath, resolveTo, type To } from './location.ts';
import { useLocation, useNavigate } from './router-provider.tsx';
import type { NavigateOptions } from './router.ts';

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To;
  /** For the page that opens. */
  state?: unknown;
  /** Loads the page from the server. */
  reloadDocument?: boolean;
  /** The page that opens replaces the open one in the history. */
  replace?: boolean;
}

/** Whether the browser would open the address in this tab, without the help of keys. */
const isPlainClick = (event: MouseEvent, target: string | undefined) =>
  event.button === 0 &&
  (target === undefined || target === '_self') &&
  !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);

export function Link({
  to,
  state,
  reloadDocument,
  replace = false,
  onClick,
  target,
  children,
  ...rest
}: LinkProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const href = formatPath(resolveTo(to, location.pathname));
  return (
    <a
      {...rest}
      href={href}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (reloadDocument || event.defaultPrevented || !isPlainClick(event, target)) return;
        event.preventDefault();
        // As the browser does: a link to the open page adds no entry to the history.
        void navigate(to, { state, replace: replace || href === formatPath(location) });
      }}
    >
      {children}
    </a>
  );
}

/** Opens another page as soon as it is shown. */
export function Navigate({ to, replace }: { to: To } & Pick<NavigateOptions, 'replace'>) {
  const navigate = useNavigate();
  const address = typeof to === 'string' ? to : formatPath(resolveTo(to, ''));
  useEffect(
    () => void navigate(address, { replace: replace ?? false }),
    [navigate, address, replace],
  );
  return null;
}
