/**
 * WebSocket hubs in the SignalR protocol (JSON), authenticated with the session token. Source:
 * specification §7 Real-time.
 */
export const presenceHub = '/hubs/presence';
export const requestHub = '/hubs/request';

/** Our own: what concerns the caller, for applicants, who have no audience of the other hubs. */
export const accountHub = '/hubs/account';

/**
 * Our own method of the request hub: the client follows the requests with these ids, instead of
 * those before. Its argument is a list of ids.
 */
export const followMethod = 'followRequests';
export const mostFollowed = 50;

/**
 * Our own events, of the request and the account hub: a request that the client follows or that
 * belongs to the caller has changed; the people who have a followed request open have changed.
 */
export const requestChanged = 'requestChanged';
export const viewersChanged = 'viewersChanged';
/**
 * Our own event of the request hub: a row of the lists of the staff has changed and no count has, such
 * as when a service provider accepts.
 */
export const listsChanged = 'listsChanged';
/** Our own event of both: the caller's notifications have changed. */
export const notificationsChanged = 'notificationsChanged';

/**
 * The changes of the counts of requests: +1 and -1 to new, +1 and -1 to processing. Source:
 * specification §4, §7.
 */
export const requestEvents = [
  'requestCreated',
  'requestDetails',
  'requestProcessing',
  'requestSubmitted',
] as const;
export type RequestEvent = (typeof requestEvents)[number];

/** What an event does to the counts of its audience. Source: specification §4. */
export const countChanges = {
  requestCreated: { count: 'new', by: 1 },
  requestDetails: { count: 'new', by: -1 },
  requestProcessing: { count: 'processing', by: 1 },
  requestSubmitted: { count: 'processing', by: -1 },
} as const satisfies Record<RequestEvent, { count: 'new' | 'processing'; by: 1 | -1 }>;

/**
 * The presence hub's event: a request of the listener's partner changed. The specification does not
 * show its name.
 */
export const groupUpdated = 'groupUpdated';

/**
 * Both hubs: the server may have missed events, so the client fetches its data again. Our own
 * event.
 */
export const eventsMissed = 'eventsMissed';

/**
 * The single argument of an event. `sequence` counts the events of a hub for one audience; a client
 * detects a gap when numbers do not follow each other.
 */
export interface HubEvent {
  sequence: number;
}
