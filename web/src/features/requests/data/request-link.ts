import { redirect, type LoaderFunctionArgs } from 'react-router';

type Guard = (args: LoaderFunctionArgs) => Promise<Response | null>;

/**
 * Follows links that carry a request: `req` a number for the inquiry, `request` an encrypted number
 * that opens the details once it is checked that the
 * person may see it; on an error the list. Anything else is for `otherwise`, which also sees to it
 * that somebody is signed in. Source: specification §2.
 */
export function followRequestLink(otherwise: Guard): Guard {
  return async (args) => {
    const query = new URL(args.request.url).searchParams;
    const requestNumber = query.get('req');
    if (requestNumber)
      return redirect(`/requests/inquiry?request-number=${encodeURIComponent(requestNumber)}`);
    const elsewhere = await otherwise(args);
    const request = query.get('request')?.replaceAll(' ', '+');
    if (elsewhere || !request) return elsewhere;
    const { findLinkedPage } = await import('./linked-request.ts');
    return redirect(await findLinkedPage(request, args.request));
  };
}
