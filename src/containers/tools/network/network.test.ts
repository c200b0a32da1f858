import { expect, test } from 'vitest';
import { createLoopback } from '../../pod/loopback.test-support.ts';
import { TestSandbox } from '../../pod/sandbox.test-support.ts';
import { runInside } from '../tools.test-support.ts';

const run = (script: string, seconds = 5): Promise<string> => new TestSandbox({}, {}, createLoopback()).run(script, {}, seconds);

/** Round-trip times are random. */
const withoutTimes = (text: string): string => text.replaceAll(/\b0\.\d{3}\b/g, 'T');

test('ping prints the replies and a summary', async () => {
  expect(withoutTimes(await run('ping -c 2 10.244.0.3; echo $?'))).toBe(`PING 10.244.0.3 (10.244.0.3): 56 data bytes
64 bytes from 10.244.0.3: seq=0 ttl=64 time=T ms
64 bytes from 10.244.0.3: seq=1 ttl=64 time=T ms

--- 10.244.0.3 ping statistics ---
2 packets transmitted, 2 packets received, 0% packet loss
round-trip min/avg/max = T/T/T ms
0
`);
});

test('ping without replies, and of unknown names, fails', async () => {
  const output = await run('ping -c 2 -W 1 10.244.9.9; echo $?; ping -q -w 3 -s 100 10.244.9.9; ping none; ping -c x api; echo $?', 10);
  expect(output).toBe(`PING 10.244.9.9 (10.244.9.9): 56 data bytes

--- 10.244.9.9 ping statistics ---
2 packets transmitted, 0 packets received, 100% packet loss
1
PING 10.244.9.9 (10.244.9.9): 100 data bytes

--- 10.244.9.9 ping statistics ---
3 packets transmitted, 0 packets received, 100% packet loss
ping: bad address 'none'
ping: invalid number 'x'
1
`);
});

test('a signal ends ping with its summary', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ command: ['ping', '-q', 'api'] });
  await pod.advance(2.5);
  await runInside(pod, 'killall -INT ping');
  expect(withoutTimes(await pod.logs())).toBe(`PING api (10.96.0.9): 56 data bytes

--- api ping statistics ---
3 packets transmitted, 3 packets received, 0% packet loss
round-trip min/avg/max = T/T/T ms
`);
});

test('telnet connects to a port, and prints what the server sends', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ name: 'server', command: ['sh', '-c', 'echo hello | nc -l -p 7'] });
  const script = 'sleep 2 | telnet api 7; echo $?; telnet api 8; telnet none; telnet api x; echo $?';
  expect(await pod.run(script)).toBe(`Connected to api
hello
Connection closed by foreign host
1
telnet: can't connect to remote host (10.96.0.9): Connection refused
telnet: bad address 'none'
telnet: bad port 'x'
1
`);
});

test('the interfaces and routes of a pod are shown', async () => {
  expect(await run('ifconfig eth0; ifconfig none; ifconfig | grep inet; route; route -n; arp -a')).toBe(
    `eth0      Link encap:Ethernet  HWaddr 0A:58:0A:F4:00:02  
          inet addr:10.244.0.2  Bcast:10.244.0.255  Mask:255.255.255.0
          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1
          RX packets:0 errors:0 dropped:0 overruns:0 frame:0
          TX packets:0 errors:0 dropped:0 overruns:0 carrier:0
          collisions:0 txqueuelen:1000 
          RX bytes:0 (0.0 B)  TX bytes:0 (0.0 B)

ifconfig: none: error fetching interface information: Device not found
          inet addr:10.244.0.2  Bcast:10.244.0.255  Mask:255.255.255.0
          inet addr:127.0.0.1  Mask:255.0.0.0
Kernel IP routing table
Destination     Gateway         Genmask         Flags Metric Ref    Use Iface
default         10.244.0.1      0.0.0.0         UG    0      0        0 eth0
10.244.0.0      *               255.255.255.0   U     0      0        0 eth0
Kernel IP routing table
Destination     Gateway         Genmask         Flags Metric Ref    Use Iface
0.0.0.0         10.244.0.1      0.0.0.0         UG    0      0        0 eth0
10.244.0.0      0.0.0.0         255.255.255.0   U     0      0        0 eth0
? (10.244.0.1) at 0a:58:0a:f4:00:01 [ether]  on eth0
`,
  );
});
