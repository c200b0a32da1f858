import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateFiles } from '../certificate-files.ts';

/** Why tests with a real etcd cannot run here; undefined when they can. */
export const etcdMissing: string | undefined = spawnSync('etcd', ['--version']).status === 0 ? undefined : 'there is no etcd on the PATH';

interface EtcdMember {
  readonly name: string;
  readonly folder: string;
  readonly client: string;
  readonly peer: string;
  /** The URL of its unauthenticated metrics and health endpoints. */
  readonly metrics: string;
}

/** A real etcd cluster of one test, on free ports and in temporary folders. */
export class EtcdCluster {
  readonly #members: readonly EtcdMember[];
  readonly #folder: string;
  readonly #certificates: CertificateFiles | undefined;
  readonly #running = new Map<number, ChildProcess>();

  private constructor(folder: string, members: readonly EtcdMember[], certificates: CertificateFiles | undefined) {
    this.#folder = folder;
    this.#members = members;
    this.#certificates = certificates;
  }

  /** Starts a cluster of `size` members and waits until it is healthy; with certificates it requires client certificates. */
  static async start(size: number, certificates?: CertificateFiles): Promise<EtcdCluster> {
    const ports = await freePorts(size * 3);
    const scheme = certificates ? 'https' : 'http';
    const folder = mkdtempSync(join(tmpdir(), 'tabplane-etcd-'));
    const members = Array.from({ length: size }, (_, index) => ({
      name: `m${index}`,
      folder: join(folder, `m${index}`),
      client: `${scheme}://127.0.0.1:${ports[index * 3]}`,
      peer: `http://127.0.0.1:${ports[index * 3 + 1]}`,
      metrics: `http://127.0.0.1:${ports[index * 3 + 2]}`,
    }));
    const cluster = new EtcdCluster(folder, members, certificates);
    // One after the other: a new member requests the member lists of the others, and waits a second for each that listens but does not serve yet.
    for (let index = 0; index < size; index++) {
      cluster.startMember(index);
      await cluster.#until(index, 'serves');
    }
    await cluster.waitUntilHealthy();
    return cluster;
  }

  get servers(): readonly string[] {
    return this.#members.map(({ client }) => client);
  }

  get size(): number {
    return this.#members.length;
  }

  startMember(index: number): void {
    const { name, folder, client, peer, metrics } = this.#member(index);
    const initial = this.#members.map((member) => `${member.name}=${member.peer}`).join(',');
    const flags = {
      name,
      'data-dir': folder,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-metrics-urls': metrics,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': initial,
      'heartbeat-interval': '50',
      'election-timeout': '500',
      logger: 'zap',
      ...(this.#certificates && {
        'client-cert-auth': 'true',
        'trusted-ca-file': this.#certificates.authority,
        'cert-file': this.#certificates.certificate,
        'key-file': this.#certificates.key,
      }),
    };
    const child = spawn(
      'etcd',
      Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
      { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } },
    );
    this.#running.set(index, child);
  }

  /** Stops one member's process until `resume`; resolves when all its threads have stopped, which takes a moment on a busy machine. */
  async pause(index: number): Promise<void> {
    const child = this.#running.get(index);
    child?.kill('SIGSTOP');
    while (child && !isStopped(child.pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  resume(index: number): void {
    this.#running.get(index)?.kill('SIGCONT');
  }

  async kill(index: number): Promise<void> {
    const child = this.#running.get(index);
    if (!child) return;
    this.#running.delete(index);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  /** The index of the current leader. */
  async leader(): Promise<number> {
    for (let index = 0; index < this.size; index++) {
      const status = JSON.parse(this.etcdctl(index, 'endpoint', 'status', '-w', 'json')) as readonly {
        readonly Status: { readonly header: { readonly member_id: number }; readonly leader: number };
      }[];
      const [first] = status;
      if (first && first.Status.leader === first.Status.header.member_id) return index;
    }
    throw new Error('no member is the leader');
  }

  /** Runs etcdctl against one member and returns its output. */
  etcdctl(index: number, ...words: readonly string[]): string {
    const { client } = this.#member(index);
    const secured = this.#certificates
      ? [`--cacert=${this.#certificates.authority}`, `--cert=${this.#certificates.certificate}`, `--key=${this.#certificates.key}`]
      : [];
    const { status, stdout, stderr } = spawnSync('etcdctl', [`--endpoints=${client}`, ...secured, ...words], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { PATH: process.env['PATH'] ?? '', ETCDCTL_API: '3' },
    });
    if (status !== 0) throw new Error(`etcdctl ${words.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Resolves when all running members answer linearizable reads. */
  async waitUntilHealthy(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((index) => this.#until(index, 'healthy')));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((index) => this.kill(index)));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #until(index: number, wanted: 'serves' | 'healthy'): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const state = await stateOf(this.#member(index).metrics);
      if (state === 'healthy' || state === wanted) return;
      if (Date.now() > deadline) throw new Error(`member ${index} of etcd, wanted: ${wanted}, is: ${state}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #member(index: number): EtcdMember {
    const member = this.#members[index];
    if (!member) throw new Error(`there is no member ${index}`);
    return member;
  }
}

/** A member serves the others before it is healthy, since it needs their votes for an election. */
async function stateOf(metrics: string): Promise<'unreachable' | 'serves' | 'healthy'> {
  try {
    const response = await fetch(`${metrics}/health`);
    return ((await response.json()) as { readonly health: string }).health === 'true' ? 'healthy' : 'serves';
  } catch {
    // Not listening yet.
    return 'unreachable';
  }
}

/**
 * Ports below the ephemeral range, so that no other socket gets the port of a stopped member. Each worker of the test runner has its
 * own range.
 */
const portsOfWorker = 2_000;
const firstPort = 12_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 8) * portsOfWorker;
let portsTried = randomInt(portsOfWorker);

async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = firstPort + (portsTried++ % portsOfWorker);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** The state follows the command in parentheses, for each thread (Linux: proc(5), /proc/pid/task/tid/stat). */
function isStopped(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) [Tt] /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}
