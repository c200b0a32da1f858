import { CommandError } from '../../../shell/index.ts';
import type { Applet } from '../../process/applet.ts';
import { readArguments } from '../arguments.ts';

/** The address with another last part. */
const inSubnet = (address: string, last: number): string => address.slice(0, address.lastIndexOf('.') + 1) + last;

/** The hardware address that network plugins derive from an address. */
const hardwareAddress = (address: string): string =>
  ['0a', '58', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

const counters = (queue: string): string =>
  `          RX packets:0 errors:0 dropped:0 overruns:0 frame:0
          TX packets:0 errors:0 dropped:0 overruns:0 carrier:0
          collisions:0 txqueuelen:${queue} 
          RX bytes:0 (0.0 B)  TX bytes:0 (0.0 B)

`;

const ifconfig: Applet = (invocation, { container }) => {
  const { operands } = readArguments(invocation, { options: 'a', synopsis: '[-a] [IFACE]', operands: [0, 1] });
  const [name] = operands;
  const { podIP } = container;
  const interfaces: Readonly<Record<string, string>> = {
    eth0: `eth0      Link encap:Ethernet  HWaddr ${hardwareAddress(podIP).toUpperCase()}  
          inet addr:${podIP}  Bcast:${inSubnet(podIP, 255)}  Mask:255.255.255.0
          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
${counters('1000')}`,
    lo: `lo        Link encap:Local Loopback  
          inet addr:127.0.0.1  Mask:255.0.0.0
          UP LOOPBACK RUNNING  MTU:65536  Metric:1
${counters('1000')}`,
  };
  if (name !== undefined && !Object.hasOwn(interfaces, name))
    throw new CommandError(`ifconfig: ${name}: error fetching interface information: Device not found`);
  invocation.out(name === undefined ? Object.values(interfaces).join('') : (interfaces[name] ?? ''));
  return 0;
};

const route: Applet = (invocation, { container }) => {
  const { flags } = readArguments(invocation, { options: 'neA:', operands: [0, 0] });
  const [subnet, gateway] = [inSubnet(container.podIP, 0), inSubnet(container.podIP, 1)];
  const row = (...cells: readonly string[]): string =>
    `${cells.map((cell, at) => cell.padEnd(at < 3 ? 15 : 5)).join(' ')} 0      0        0 eth0\n`;
  const [all, none] = flags.has('n') ? ['0.0.0.0', '0.0.0.0'] : ['default', '*'];
  invocation.out(
    `Kernel IP routing table\nDestination     Gateway         Genmask         Flags Metric Ref    Use Iface\n${row(all, gateway, '0.0.0.0', 'UG')}${row(subnet, none, '255.255.255.0', 'U')}`,
  );
  return 0;
};

const arp: Applet = (invocation, { container }) => {
  readArguments(invocation, { options: 'an' });
  const gateway = inSubnet(container.podIP, 1);
  invocation.out(`? (${gateway}) at ${hardwareAddress(gateway)} [ether]  on eth0\n`);
  return 0;
};

export const interfaceTools: Readonly<Record<string, Applet>> = { arp, ifconfig, route };
