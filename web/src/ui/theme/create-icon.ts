import { createElement, type ReactElement, type SVGProps } from 'react';

/** The data of an icon in a file of lucide-react: its name, and elements of a square of 24. */
interface IconData {
  name: string;
  node: readonly (readonly [element: string, attributes: Record<string, string>])[];
}

/** Width and height in pixels; each attribute of an SVG is passed on. */
type IconProps = { size?: number } & SVGProps<SVGSVGElement>;

/**
 * Stands in for the function of lucide-react that makes a component of an icon, which is ten times
 * as large for options that this portal does not use. `build/small-icons.ts` puts it there.
 */
export function createIcon({ name, node }: IconData): (props: IconProps) => ReactElement {
  return ({ size = 24, className = '', ...rest }) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: `lucide lucide-${name} ${className}`,
        'aria-hidden': true,
        ...rest,
      },
      ...node.map(([element, attributes]) => createElement(element, attributes)),
    );
}
