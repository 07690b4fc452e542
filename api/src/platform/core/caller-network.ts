import { isIP } from 'node:net';

/**
 * A header X-Forwarded-For with plain addresses: some proxies, such as Azure Application Gateway,
 * write `address:port`, or an IPv6 address in brackets.
 */
export function removePorts(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((entry) => {
      const text = entry.trim();
      const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text);
      return address?.[1] ?? text;
    })
    .join(', ');
}

/**
 * The network that a limit by address counts as one caller: an IPv4 address, or the /64 of an IPv6
 * address, because one household or one attacker usually holds a whole /64. All other texts
 * count as one network, so that an invented text does not avoid a limit.
 */
export function callerNetwork(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [before = '', after] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const head = before.split(':').filter(Boolean);
  const tail = after?.split(':').filter(Boolean) ?? [];
  const groups = [
    ...head,
    ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'),
    ...tail,
  ];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
