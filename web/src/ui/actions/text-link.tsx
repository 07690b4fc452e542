import { Link, type LinkProps } from 'react-router';

/** A link within text. */
export function TextLink(props: Omit<LinkProps, 'className' | 'style'>) {
  return <Link {...props} className="link inline-block py-1 font-medium" />;
}
