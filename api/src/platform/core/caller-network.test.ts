import { expect, it } from 'vitest';
import { callerNetwork, removePorts } from './caller-network.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['_hidden', 'unknown'],
  ['192.0.2.7:443', 'unknown'],
  ['', 'unknown'],
])('the network of %s is %s', (address, network) => expect(callerNetwork(address)).toBe(network));

it.each([
  ['192.0.2.7:443', '192.0.2.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['198.51.100.8:1, 10.0.0.1 ,[::1]:2', '198.51.100.8, 10.0.0.1, ::1'],
  ['unknown', 'unknown'],
])('%s without ports is %s', (header, addresses) => expect(removePorts(header)).toBe(addresses));
