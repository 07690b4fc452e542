import { SkeletonBar, SkeletonRow } from '#ui/feedback/skeleton.tsx';
import { PortalLogo } from '#ui/theme/portal-logo.tsx';
import type { PageOpening, Site } from '@diwan/contract/portal/document';

/** The shape of a list. */
const Rows = () => (
  <div aria-hidden="true" className="mt-8 flex flex-col gap-3">
    <SkeletonRow />
    <SkeletonRow />
    <SkeletonRow />
  </div>
);

/**
 * The first texts of a page in their final position, so that visitors can read them before the script
 * has loaded. `data-opening` marks texts of the page itself.
 */
function Opening({ opening }: { opening: PageOpening }) {
  switch (opening.kind) {
    case 'home':
      return (
        <div data-opening className="border-b border-ink-100 bg-desert-50">
          <div className="page pt-10 pb-14 md:pt-16 md:pb-20">
            <h1 className="max-w-form text-3xl font-bold">{opening.title}</h1>
            <p className="mt-2 mb-6 max-w-form text-ink-600 md:mb-8">{opening.lead}</p>
          </div>
        </div>
      );
    case 'page':
      return (
        <div data-opening className="page pt-4 md:pt-6">
          <div className="min-h-9" />
          <h1 className="mt-2 max-w-form text-2xl">{opening.title}</h1>
          <p className="mt-2 max-w-form text-ink-600">{opening.lead}</p>
          <Rows />
        </div>
      );
    case 'work':
      return (
        <div className="page pt-4 md:pt-6">
          <div className="min-h-9" />
          <SkeletonBar className="mt-2 h-9 w-56" />
          <Rows />
        </div>
      );
    case 'form':
      return (
        <div data-opening className="page grid grid-cols-1 py-8 md:grid-cols-2 md:gap-16 md:py-16">
          <div className="max-w-110">
            <h1 className="text-2xl">{opening.title}</h1>
            <p className="mt-2 text-ink-600">{opening.lead}</p>
            <div aria-hidden="true" className="mt-6 flex flex-col gap-6">
              <SkeletonBar className="h-14" />
              <SkeletonBar className="h-12" />
              <SkeletonBar className="h-12" />
            </div>
          </div>
        </div>
      );
    case 'service':
      return (
        <div data-opening className="page pt-4 md:pt-6">
          <div className="min-h-9" />
          <div className="mt-4 flex max-w-form flex-col gap-3 md:mt-6">
            <p className="flex items-center gap-3 text-ink-600">
              <img
                src={opening.logo}
                alt=""
                width={56}
                height={56}
                fetchPriority="low"
                className="size-14 shrink-0"
              />
              {opening.agency}
            </p>
            <h1 className="text-2xl">{opening.title}</h1>
            <p className="text-ink-700">{opening.lead}</p>
          </div>
        </div>
      );
  }
}

/** The space of the header, and the first texts of a page until the portal is loaded. */
export function Waiting({ opening, site }: { opening: PageOpening | undefined; site: Site }) {
  return (
    <>
      <div aria-hidden="true">
        <div className="border-t-4 border-primary" />
        <div className="hidden min-h-10 border-b border-ink-100 bg-desert-50 lg:block" />
        <div className="border-b border-ink-100">
          <div className="page flex min-h-16 items-center gap-1 sm:gap-2 lg:min-h-20 lg:gap-4">
            <span className="-ms-2 size-11" />
            <PortalLogo of={site} className="size-10 md:size-11" />
          </div>
        </div>
      </div>
      {opening ? <Opening opening={opening} /> : null}
    </>
  );
}
