import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateFiles } from './etcd-certificates.ts';

/** Why tests with a real etcd cannot run here; undefined when they can. */
export const etcdMissing: string | undefined = spawnSync('etcd', ['--version']).status === 0 ? undefined : 'there is no etcd on the PATH';

interface MemberPlace {
  readonly name: string;
  readonly folder: string;
  readonly client: string;
  readonly peer: string;
  /** Where it says, to everybody, how it is. */
  readonly metrics: string;
}

/** A real etcd cluster of this test, on free ports and in folders of its own. */
export class EtcdCluster {
  readonly #places: readonly MemberPlace[];
  readonly #folder: string;
  readonly #certificates: CertificateFiles | undefined;
  readonly #running = new Map<number, ChildProcess>();

  private constructor(folder: string, places: readonly MemberPlace[], certificates: CertificateFiles | undefined) {
    this.#folder = folder;
    this.#places = places;
    this.#certificates = certificates;
  }

  /** Starts a cluster of so many members and waits until it takes writes; with certificates it asks its clients for one, too. */
  static async start(size: number, certificates?: CertificateFiles): Promise<EtcdCluster> {
    const ports = await freePorts(size * 3);
    const scheme = certificates ? 'https' : 'http';
    const folder = mkdtempSync(join(tmpdir(), 'tabplane-etcd-'));
    const places = Array.from({ length: size }, (_, index) => ({
      name: `m${index}`,
      folder: join(folder, `m${index}`),
      client: `${scheme}://127.0.0.1:${ports[index * 3]}`,
      peer: `http://127.0.0.1:${ports[index * 3 + 1]}`,
      metrics: `http://127.0.0.1:${ports[index * 3 + 2]}`,
    }));
    const cluster = new EtcdCluster(folder, places, certificates);
    for (let index = 0; index < size; index++) cluster.startMember(index);
    await cluster.healthy();
    return cluster;
  }

  get servers(): readonly string[] {
    return this.#places.map(({ client }) => client);
  }

  get size(): number {
    return this.#places.length;
  }

  startMember(index: number): void {
    const { name, folder, client, peer, metrics } = this.#place(index);
    const initial = this.#places.map((place) => `${place.name}=${place.peer}`).join(',');
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
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** The member that leads now. */
  async leader(): Promise<number> {
    for (let index = 0; index < this.size; index++) {
      const status = JSON.parse(this.etcdctl(index, 'endpoint', 'status', '-w', 'json')) as readonly {
        readonly Status: { readonly header: { readonly member_id: number }; readonly leader: number };
      }[];
      const [first] = status;
      if (first && first.Status.leader === first.Status.header.member_id) return index;
    }
    throw new Error('no member leads');
  }

  /** What etcdctl says of one member. */
  etcdctl(index: number, ...words: readonly string[]): string {
    const { client } = this.#place(index);
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

  /** Resolves when all members that run answer linearizable reads. */
  async healthy(): Promise<void> {
    for (const [index] of this.#running) await this.#healthy(index);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((index) => this.kill(index)));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #healthy(index: number): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      if (await isHealthy(this.#place(index).metrics)) return;
      if (Date.now() > deadline) throw new Error(`member ${index} of etcd does not become healthy`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #place(index: number): MemberPlace {
    const place = this.#places[index];
    if (!place) throw new Error(`there is no member ${index}`);
    return place;
  }
}

async function isHealthy(metrics: string): Promise<boolean> {
  try {
    const answer = await fetch(`${metrics}/health`);
    return ((await answer.json()) as { readonly health: string }).health === 'true';
  } catch {
    // Not listening yet.
    return false;
  }
}

/** All are held until all are known, so that none comes twice. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** The state stands behind the command, in parentheses, of each thread (Linux: proc(5), /proc/pid/task/tid/stat). */
function isStopped(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) [Tt] /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}
