// The service worker of the portal: it shows the messages that the server sends while the portal is closed, and opens their page. It
// answers no fetch and keeps no cache, so that nothing private stays in the browser. The payload is that of
// api/src/platform/messages/push.ts, in the user's language.

/** The address of a page of this portal; the start page for anything else. */
const ownAddress = (path) => {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin);
  return url.origin === self.location.origin ? url.href : `${self.location.origin}/`;
};

// A new version takes over at once; pages do not depend on it.
self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('push', (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch {
    // Not a message of ours. The browser requires a notification all the same.
  }
  const { title = 'Diwan', body = '', lang = '', dir = 'auto', tag = '', url } = message;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      lang,
      dir,
      tag,
      icon: '/push-icon.png',
      data: { url: ownAddress(url) },
    }),
  );
});

/** Shows the page in its own window, so that nothing that is being typed in another one is lost. */
async function openPage(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((each) => each.url === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(ownAddress(event.notification.data?.url)));
});
