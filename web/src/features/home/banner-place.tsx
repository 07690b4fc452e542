import { useRef } from 'react';
import { useLatePartNow } from '../../lib/page/late-part.ts';
import { whenNear } from '../../lib/browser/when-quiet.ts';

/**
 * Keeps the room of the slides, whose code comes when they are about to be seen. It stands under
 * content that is there, or it would seem nearer than it is.
 */
export function BannerPlace() {
  const place = useRef<HTMLDivElement>(null);
  const { part: Banners } = useLatePartNow(() =>
    whenNear(place.current).then(
      async () => (await import('./banner-carousel.tsx')).BannerCarousel,
    ),
  );
  return (
    <div ref={place} className="min-h-108 pt-10 md:min-h-96 md:pt-16">
      {Banners ? <Banners /> : null}
    </div>
  );
}
