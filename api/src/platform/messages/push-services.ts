import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Addresses of IPv4 that are not on the public internet: RFC 6890.
const privateAddresses = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv4');
// Of IPv6 only 2000::/3 is assigned to the public internet. In it: tunnels, whose addresses hold one of
// IPv4, and documentation.
const publicAddresses = new BlockList();
publicAddresses.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv6');

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 6 && !publicAddresses.check(address, 'ipv6')) return false;
  return family !== 0 && !privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Whether the server may send to this endpoint of a browser. `services` are hosts, such as
 * fcm.googleapis.com, domains with all hosts below them, such as .push.apple.com, and whole origins.
 * A host needs https on its usual port and no user.
 */
export function isKnownPushService(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '') return false;
  return services.some((service) => {
    if (service.includes('://')) return url.origin === service;
    if (url.protocol !== 'https:' || url.port !== '') return false;
    return service.startsWith('.') ? url.hostname.endsWith(service) : url.hostname === service;
  });
}

/**
 * Looks up a host and refuses it when one of its addresses is private, so that a name of a push
 * service cannot be pointed into the network of this server. The connection uses these addresses, so
 * that a second answer of the name server changes nothing.
 */
export const lookUpPublic: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error) return done(error, '');
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(
        Object.assign(new Error(`${host} has a private address`), { code: 'EPRIVATE' }),
        '',
      );
    if (options.all) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};
