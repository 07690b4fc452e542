/**
 * The address of a product that runs already, such as http://localhost:3000, for measurements and
 * journeys. Without it the runner starts one on `journeysPort`.
 */
export const runningProduct = process.env.BASE_URL?.replace(/\/$/, '');
/** The ports of the product for the journeys, which no other part uses. */
export const journeysPort = Number(
  runningProduct ? new URL(runningProduct).port : (process.env.JOURNEYS_PORT ?? 3900),
);
export const portalUrl = runningProduct ?? `http://localhost:${journeysPort}`;
export const journeysSandboxPort = journeysPort + 1;
/** The sandbox of the payment provider. */
export const journeysPaymentsPort = journeysPort + 3;
/** The push service of a journey: WEB_PUSH_SERVICES in serve-journeys.mjs. */
export const journeysPushPort = journeysPort + 4;
/** The product on an empty database, which a journey of e2e/acceptance starts, and its sandbox. */
export const emptyPort = journeysPort + 5;
export const emptySandboxPort = emptyPort + 1;
/** Another origin that may call the product: PORTAL_ORIGINS in serve-journeys.mjs. */
export const otherSitePort = journeysPort + 2;

/**
 * The command that serves the product for the journeys, on a folder or database for this run only.
 */
export const startJourneys = `node e2e/serve-journeys.mjs ${journeysPort}`;
