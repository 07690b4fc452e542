/** Where the journeys find the product: ports that nothing else of it uses. */
export const journeysPort = Number(process.env.JOURNEYS_PORT ?? 3900);
export const journeysSandboxPort = journeysPort + 1;
/** Another origin that may call the product: PORTAL_ORIGINS in serve-journeys.mjs. */
export const otherSitePort = journeysPort + 2;

/**
 * The command that serves a product of its own for the journeys, on a folder or database made for
 * this run alone.
 */
export const startJourneys = `node e2e/serve-journeys.mjs ${journeysPort}`;
