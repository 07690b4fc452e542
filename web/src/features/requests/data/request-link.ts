import type { Guard } from '#lib/auth/guards.ts';
import { redirect } from '#lib/router/router.ts';

/**
 * Redirects links to a request. `req` is a request number and leads to the inquiry. `request` is an
 * encrypted number and leads to the details, if the user may view the request, else to the list.
 * The guard decides about all other addresses, and makes sure that the user is signed in. Source:
 * specification §2.
 */
export function followRequestLink(guard: Guard): Guard {
  return async (args) => {
    const query = new URL(args.request.url).searchParams;
    const requestNumber = query.get('req');
    if (requestNumber)
      return redirect(`/requests/inquiry?request-number=${encodeURIComponent(requestNumber)}`);
    const redirected = await guard(args);
    const request = query.get('request')?.replaceAll(' ', '+');
    if (redirected || !request) return redirected;
    const { resolveLinkedPage } = await import('./linked-request.ts');
    return redirect(await resolveLinkedPage(request, args.request));
  };
}
