import { configuration } from '#lib/browser/configuration.ts';

/** The logo of the portal; on a dark page its own, if there is one. */
export function PortalLogo({
  className,
  of: { logo, darkLogo } = configuration(),
}: {
  className: string;
  /** Where the configuration of the browser is not known. */
  of?: { logo: string; darkLogo: string };
}) {
  const imageOf = (src: string, mode: string) => (
    <img
      fetchPriority="low"
      src={src}
      alt=""
      width={44}
      height={44}
      className={`${className} object-contain ${mode}`}
    />
  );
  return darkLogo === logo ? (
    imageOf(logo, '')
  ) : (
    <>
      {imageOf(logo, 'logo-light')}
      {imageOf(darkLogo, 'logo-dark')}
    </>
  );
}
