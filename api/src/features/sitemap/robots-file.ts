/**
 * What search engines may fetch. They run the portal's script, so they need what public pages read.
 */
const readByPages = ['AccountType', 'GovernmentAgency', 'Service', 'ServiceCategory', 'SiteMap'];

export function writeRobots(publicUrl: string, mayBeIndexed: boolean): string {
  if (!mayBeIndexed) return 'User-agent: *\nDisallow: /\n';
  return [
    'User-agent: *',
    ...readByPages.map((noun) => `Allow: /api/${noun}/`),
    'Disallow: /api/',
    'Disallow: /hubs/',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
}
