import { vi } from 'vitest';

function fakeStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

/** A request to the network. */
export interface Asked {
  url: URL;
  method: string;
  headers: Headers;
  init: RequestInit;
}

/**
 * The parts of a browser that `lib` uses, on a page of `https://portal.example`. `answer` answers
 * every request; `asked` lists the requests in order.
 */
export function openFakeBrowser(answer: (asked: Asked) => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const location = {
    protocol: 'https:',
    origin: 'https://portal.example',
    host: 'portal.example',
    hostname: 'portal.example',
    pathname: '/services',
    search: '?a=1',
    hash: '#b',
    assign: vi.fn(),
  };
  const focused: string[] = [];
  vi.stubGlobal('window', {
    location,
    sessionStorage: fakeStorage(),
    localStorage: fakeStorage(),
    setTimeout,
    clearTimeout,
    btoa,
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent: () => true,
  });
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const one = {
      url: new URL(input, location.origin),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      init,
    };
    asked.push(one);
    return answer(one);
  });
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {};
      status = 0;
      responseText = '';
      onload = () => undefined;
      onerror = () => undefined;
      private one: Asked = {
        url: new URL(location.origin),
        method: '',
        headers: new Headers(),
        init: {},
      };
      private answered = new Response();
      open(method: string, url: string) {
        this.one = { url: new URL(url, location.origin), method, headers: new Headers(), init: {} };
      }
      setRequestHeader(name: string, value: string) {
        this.one.headers.set(name, value);
      }
      getResponseHeader(name: string) {
        return this.answered.headers.get(name);
      }
      abort() {}
      async send() {
        asked.push(this.one);
        try {
          this.answered = await answer(this.one);
          this.responseText = await this.answered.text();
          this.status = this.answered.status;
          this.onload();
        } catch {
          this.onerror();
        }
      }
    },
  );
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, work: () => unknown) => work() },
  });
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal('document', {
    documentElement: { dataset: {} },
    querySelector: (selector: string) => ({
      closest: () => null,
      scrollIntoView() {},
      focus: () => focused.push(selector),
      setAttribute: (name: string) => focused.push(name),
      removeAttribute() {},
      addEventListener() {},
    }),
  });
  return { asked, location, focused };
}

/** A token with the claims of the server, unsigned; it expires `seconds` from now. */
export function fakeToken(seconds: number, claims: object = {}): string {
  const bytes = new TextEncoder().encode(
    JSON.stringify({
      ssid: '1',
      displayName: 'x',
      fullName: 'x',
      isServiceProvider: false,
      exp: Math.floor(Date.now() / 1000) + seconds,
      ...claims,
    }),
  );
  return `x.${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}.x`;
}

export function jsonReply(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
