import { Lattice } from '../ui/theme/lattice.tsx';
import { PortalLogo } from '../ui/theme/portal-logo.tsx';
import { Star } from '../ui/theme/star.tsx';
import { ThemeSwitch } from '../ui/theme/theme-switch.tsx';
import type { Stories } from './story.tsx';
import themeSource from '../ui/theme/theme.css?raw';

/** The colour tokens of the theme by name, with values such as `#92722a`. */
const colours = new Map(
  [...themeSource.matchAll(/--color-([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

/** The colour that a token such as `primary` names. */
function resolveColour(value: string): string {
  const alias = /^var\(--color-([\w-]+)\)$/.exec(value)?.[1];
  return alias === undefined ? value : resolveColour(colours.get(alias) ?? '');
}

const isColour = (value: string) => /^#[0-9a-f]{6}$/.test(value);
const families = [...new Set([...colours.keys()].map((name) => name.replace(/-\d+$/, '')))].filter(
  (family) => [...colours.keys()].some((name) => name.startsWith(`${family}-`)),
);
const roles = [...colours].filter(([, value]) => value.startsWith('var('));

function Swatch({ name, value }: { name: string; value: string }) {
  return (
    <li className="gallery-swatch">
      <span aria-hidden style={{ background: value }} />
      <span lang="en">
        {name}
        <span className="gallery-caption">
          <bdi dir="ltr">{value}</bdi>
        </span>
      </span>
    </li>
  );
}

function Family({ name }: { name: string }) {
  const shades = [...colours].filter(
    ([shade, value]) => shade.replace(/-\d+$/, '') === name && isColour(value),
  );
  return (
    <ul className="gallery-swatches">
      {shades.map(([shade, value]) => (
        <Swatch key={shade} name={shade} value={value} />
      ))}
    </ul>
  );
}

const textSizes = ['3xl', '2xl', 'xl', 'lg', 'base', 'sm'] as const;

function TypeScale({ sample }: { sample: string }) {
  return (
    <dl className="gallery-scale">
      {textSizes.map((size) => (
        <div key={size}>
          <dt lang="en" className="gallery-caption">
            {size}
          </dt>
          <dd
            className={size === 'base' || size === 'sm' ? undefined : 'font-heading'}
            style={{
              fontSize: `var(--text-${size})`,
              lineHeight: `var(--text-${size}--line-height)`,
            }}
          >
            {sample}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const logos = (hasDark: boolean) => ({
  logo: '/logos/categories/utilities.svg',
  darkLogo: `/logos/categories/${hasDark ? 'attestation' : 'utilities'}.svg`,
});

export const themeStories: Stories = (texts) => [
  {
    name: 'PortalLogo',
    states: {
      one: <PortalLogo className="size-11" of={logos(false)} />,
      'with a dark one': <PortalLogo className="size-11" of={logos(true)} />,
    },
  },
  {
    name: 'Colours',
    isWide: true,
    states: {
      roles: (
        <ul className="gallery-swatches">
          {roles.map(([name, value]) => (
            <Swatch key={name} name={name} value={resolveColour(value)} />
          ))}
        </ul>
      ),
      ...Object.fromEntries(
        families
          .filter((family) => !roles.some(([name]) => name.startsWith(family)))
          .map((family) => [family, <Family key={family} name={family} />]),
      ),
    },
  },
  {
    name: 'Text sizes',
    isWide: true,
    states: {
      'headings and text': <TypeScale sample={texts.typeSample} />,
      paragraph: <p className="max-w-form">{texts.paragraph}</p>,
    },
  },
  { name: 'ThemeSwitch', states: { default: <ThemeSwitch /> } },
  {
    name: 'Star, Lattice',
    states: {
      Star: (
        <span className="text-gold-500">
          <Star />
        </span>
      ),
      Lattice: <Lattice className="gallery-lattice" />,
    },
  },
];
