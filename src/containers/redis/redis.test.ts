import { expect, test } from 'vitest';
import type { LiveContainer } from '../../node/index.ts';
import { createLoopback } from '../pod/loopback.test-support.ts';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const image = 'docker.io/library/redis';

async function startRedis(args: readonly string[] = []): Promise<TestSandbox> {
  const pod = new TestSandbox({ volumes: [{ name: 'data', emptyDir: {} }] }, {}, createLoopback());
  await pod.start({ name: 'server', args: [...args], volumeMounts: [{ name: 'data', mountPath: '/data' }] }, image);
  await pod.advance(1);
  return pod;
}

async function run(pod: TestSandbox, script: string): Promise<string> {
  await pod.start({ command: ['sh', '-c', script] }, image);
  await pod.advance(3);
  return pod.logs();
}

test.each([
  ['set a 1; redis-cli get a; redis-cli get none', 'OK\n1\n\n'],
  [
    'set a 1 nx; redis-cli set a 2 nx; redis-cli incr a; redis-cli append a x; redis-cli incr a',
    'OK\n\n2\n2\nERR value is not an integer or out of range\n\n',
  ],
  [
    'rpush l a b c; redis-cli lrange l 0 -1; redis-cli lpop l; redis-cli llen l; redis-cli get l',
    '3\na\nb\nc\na\n2\nWRONGTYPE Operation against a key holding the wrong kind of value\n\n',
  ],
  ['hset h f 1 g 2; redis-cli hgetall h; redis-cli hincrby h f 4; redis-cli hdel h f g; redis-cli exists h', '2\nf\n1\ng\n2\n5\n2\n0\n'],
  ['sadd s a b a; redis-cli sismember s a; redis-cli scard s; redis-cli smembers s', '2\n1\n2\na\nb\n'],
  ['set t 1 ex 2; redis-cli ttl t; sleep 1.5; redis-cli get t; sleep 1; redis-cli get t; redis-cli ttl t', 'OK\n2\n1\n\n-2\n'],
  [
    'ping; redis-cli nothing x; redis-cli get',
    "PONG\nERR unknown command 'nothing', with args beginning with: 'x' \n\nERR wrong number of arguments for 'get' command\n\n",
  ],
  ['-h web -n 1 set k v; redis-cli dbsize; redis-cli -n 1 keys "*"', 'OK\n0\nk\n'],
  ['-p 6380 ping; echo $?', 'Could not connect to Redis at 127.0.0.1:6380: Connection refused\n1\n'],
  ['-h nowhere ping', 'Could not connect to Redis at nowhere:6379: Name or service not known\n'],
  ['info replication', '# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_repl_offset:0\r\n\n'],
  [
    'set k "one two"; printf \'set a "x y"\\nget a\\nmulti\\nincr n\\nincr n\\nexec\\n\' | redis-cli',
    'OK\nOK\nx y\nOK\nQUEUED\nQUEUED\n1\n2\n',
  ],
])('redis-cli %s', async (script, output) => {
  expect(await run(await startRedis(), `redis-cli ${script}`)).toBe(output);
});

test('a server with a password refuses clients without it', async () => {
  const pod = await startRedis(['--requirepass', 'secret']);
  const script = 'redis-cli ping; redis-cli -a wrong ping; REDISCLI_AUTH=secret redis-cli ping; redis-cli -a secret --no-auth-warning ping';
  expect(await run(pod, script)).toBe(
    "NOAUTH Authentication required.\n\nWarning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n" +
      'AUTH failed: WRONGPASS invalid username-password pair or user is disabled.\nNOAUTH Authentication required.\n\nPONG\nPONG\n',
  );
});

test('subscribers get messages, and waiting clients get elements', async () => {
  const pod = await startRedis();
  const script =
    'redis-cli subscribe news > /tmp/news & redis-cli blpop queue 0 > /tmp/queue & sleep 0.5; redis-cli publish news hello; redis-cli lpush queue job; sleep 0.5; cat /tmp/news /tmp/queue; redis-cli llen queue';
  expect(await run(pod, script)).toBe('1\n1\nsubscribe\nnews\n1\nmessage\nnews\nhello\nqueue\njob\n0\n');
});

test('the server logs its start and end, and its data outlive the container on a volume', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'data', emptyDir: {} }] }, {}, createLoopback());
  const mount = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const start = (): Promise<LiveContainer> =>
    pod.start({ command: ['sh', '-c', '(sleep 0.5; redis-cli incr a) & exec redis-server'], ...mount }, image);
  const first = await start();
  await pod.advance(2);
  expect(await pod.logs()).toBe(
    `1:C 01 Jan 2026 00:00:00.000 * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo
1:C 01 Jan 2026 00:00:00.000 * Redis version=7.4.1, bits=64, commit=00000000, modified=0, pid=1, just started
1:C 01 Jan 2026 00:00:00.000 # Warning: no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf
1:M 01 Jan 2026 00:00:00.000 * monotonic clock: POSIX clock_gettime
1:M 01 Jan 2026 00:00:00.000 * Running mode=standalone, port=6379.
1:M 01 Jan 2026 00:00:00.000 * Server initialized
1:M 01 Jan 2026 00:00:00.000 * Ready to accept connections tcp
1
`,
  );
  first.terminate();
  await pod.advance(1);
  expect(await pod.logs()).toContain('* Saving the final RDB snapshot before exiting.\n');
  await start();
  await pod.advance(2);
  expect(await pod.logs()).toMatch(/keys loaded: 1, keys expired: 0\.[\s\S]*\n2\n$/);
});
