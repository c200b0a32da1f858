import { expect, test } from 'vitest';
import { TestSandbox } from '../../pod/sandbox.test-support.ts';

const run = (script: string): Promise<string> => new TestSandbox({}).run(`cd /tmp; printf 'hello\\n' > g; ${script}`);

test('a file is replaced by a compressed one, and back', async () => {
  expect(await run('chmod 640 g; gzip g; ls; stat -c %a g.gz; zcat g.gz; gunzip g.gz; ls; cat g; gzip -k g; ls; gzip -d < g.gz')).toBe(
    'g.gz\n640\nhello\ng\nhello\ng\ng.gz\nhello\n',
  );
});

test('the bytes of a short text are those of the real program', async () => {
  expect(await run('gzip -c g | hexdump -C')).toBe(
    '00000000  1f 8b 08 00 00 00 00 00  00 03 cb 48 cd c9 c9 e7  |...........H....|\n00000010  02 00 20 30 3a 36 06 00  00 00                    |.. 0:6....|\n0000001a\n',
  );
});

test('commands that fail leave the files as they are, with the messages of the real programs', async () => {
  const script = `gzip none; gunzip g; gunzip -c g; cp g bad.gz; gunzip bad.gz; zcat bad.gz; gzip -k g; gzip -k g; gunzip g.gz; gzip .
    head -c 15 g.gz > short.gz; gunzip -t short.gz; echo $?; gunzip none.gz; gzip -x; ls; gunzip -f g.gz; cat g`;
  expect(await run(script)).toBe(
    `gzip: none: No such file or directory
gunzip: g: unknown suffix - ignored
gunzip: invalid magic
gunzip: invalid magic
zcat: no gzip/bzip2/xz magic
gzip: can't open 'g.gz': File exists
gunzip: can't open 'g': File exists
gzip: can't remove file '.': Is a directory
gunzip: unexpected end of file
1
gunzip: none.gz: No such file or directory
gzip: invalid option -- 'x'
BusyBox v1.36.1 (2023-05-18 22:34:17 UTC) multi-call binary.

Usage: gzip [-cfkdt] [FILE]...
bad.gz
g
g.gz
short.gz
hello
`,
  );
});

test('archives are compressed and decompressed', async () => {
  const script = `mkdir -p from to; echo text > from/file; tar czf a.tgz from; gunzip -t a.tgz && tar tzf a.tgz; tar -xzf a.tgz -C to; cat to/from/file
    tar cz from | tar tvz | cut -c 1-10; tar xzf g; echo $?; tar xf a.tgz; echo $?; gunzip a.tgz; tar tf a.tar`;
  expect(await run(script)).toBe(
    'from/\nfrom/file\ntext\ndrwxr-xr-x\n-rw-r--r--\ntar: invalid magic\ntar: short read\n1\n0\nfrom/\nfrom/file\n',
  );
});

test('a file stays as it is when its compression is interrupted', async () => {
  const script = 'cd /tmp; truncate -s 40m zeros; timeout 0.005 gzip zeros; echo $?; stat -c "%n %s" *';
  expect(await new TestSandbox({}).run(script)).toBe('124\nzeros 41943040\n');
});

test('a file that becomes too large ends with an error', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi', medium: 'Memory' } }] });
  const script =
    'cd /v; head -c 65536 /dev/zero > /tmp/z; for i in $(seq 64); do cat /tmp/z; done | gzip > /tmp/z.gz; cp /tmp/z.gz .; gunzip z.gz; echo $?; ls';
  expect(await pod.run(script, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }, 20)).toBe(
    'gunzip: z.gz: No space left on device\n1\nz.gz\n',
  );
});
