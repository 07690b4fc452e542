/**
 * Websocket hubs in the SignalR protocol (JSON), authenticated with the session token. Source:
 * specification §7 Real-time.
 */
export const presenceHub = '/hubs/presence';
export const requestHub = '/hubs/request';

/**
 * What happened to the counts of requests: +1 and -1 to new, +1 and -1 to processing. Source:
 * specification §4, §7.
 */
export const requestEvents = [
  'requestCreated',
  'requestDetails',
  'requestProcessing',
  'requestSubmitted',
] as const;
export type RequestEvent = (typeof requestEvents)[number];

/**
 * The presence hub's event: something changed among the requests of the listener's partner. The
 * specification does not show its name.
 */
export const groupUpdated = 'groupUpdated';

/**
 * Both hubs: the server itself may have missed something, so what is known is to be fetched again.
 * Ours.
 */
export const newsMissed = 'newsMissed';

/**
 * The one argument of an event. `sequence` counts the events of a hub for one audience; one that
 * does not follow its forerunner tells of a gap.
 */
export interface HubNews {
  sequence: number;
}
