import { z } from 'zod';
import { governmentAgency } from '../catalogue/agencies.ts';
import { defineCall } from '../wire/call.ts';

const listedService = z.object({ name: z.string(), replacedName: z.string() });
const listedAgency = governmentAgency.extend({ services: z.array(listedService) });
export type ListedAgency = z.infer<typeof listedAgency>;

/**
 * The content of the page at /sitemap.xml; `fileName` is the site map for search engines, made from
 * the same catalogue. The shape of the reply is ours.
 */
export const generateDynamicSitemapFile = defineCall({
  name: 'generateDynamicSitemapFile',
  method: 'GET',
  path: '/api/SiteMap/GenerateDynamicSitemapFile',
  who: 'anyone',
  summary:
    'All services by agency, in the caller’s language, and the address of the site map for search engines',
  reply: z.object({ fileName: z.string(), agencies: z.array(listedAgency) }),
  refusals: [],
});
