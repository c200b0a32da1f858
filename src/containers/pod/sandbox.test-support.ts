import { ApiClient } from '../../client/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../env/index.ts';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import type { ClusterNetwork } from '../../network/index.ts';
import type { LiveContainer, PodSandbox } from '../../node/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { loadPrograms } from '../index.ts';
import { createContainerRuntime } from '../runtime.ts';

/** Programs take several turns of the event loop between two timers. */
const turnsBetweenTimers = 40;

/** Lets everything that is ready in the event loop proceed. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<void>((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Lets programs proceed until they wait for time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < turnsBetweenTimers; turn++) await nextTurn();
}

/** A pod whose containers run on a manual clock. `objects` are the responses of the API by their path. */
export class TestSandbox {
  readonly clock: ManualClock = createManualClock(Date.UTC(2026, 0, 1));
  readonly objects: Map<string, object> = new Map();
  readonly evictions: string[] = [];
  readonly sandbox: PodSandbox;
  pod: corev1.Pod;
  #restarts = 0;

  constructor(spec: object, metadata: object = {}, network?: ClusterNetwork) {
    this.pod = { metadata: { name: 'web', namespace: 'ns', uid: 'u', ...metadata }, spec, status: {} } as unknown as corev1.Pod;
    const product = productByName('kubernetes');
    const api: ApiHandler = async ({ target }) => {
      const path = target.split('?')[0] ?? '';
      const found = this.objects.get(path);
      const status = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
      const isList = path.endsWith('/services');
      const body = found ?? (isList ? { metadata: {}, items: [] } : status);
      return { status: found || isList ? 200 : 404, headers: [['content-type', 'application/json']], body: JSON.stringify(body) };
    };
    const runtime = createContainerRuntime({ env: { clock: this.clock, random: createSeededRandom(1), log: createMemoryLog() }, product });
    this.sandbox = runtime.createSandbox(this.pod, {
      client: new ApiClient({ api, product, signal: new AbortController().signal }),
      nodeName: 'node-1',
      network,
      hostIP: '172.18.0.2',
      allocatable: () => ({ cpu: '4', memory: '8Gi' }),
      wake: () => {},
      evict: (message) => this.evictions.push(message),
    });
  }

  /** Starts a container with these fields; busybox by default. @throws Error with the reason and message when it cannot be started */
  async start(fields: Partial<corev1.Container>, repository = 'docker.io/library/busybox'): Promise<LiveContainer> {
    const container = { name: 'c', ...fields } as corev1.Container;
    const others = (this.pod.spec.containers ?? []).filter(({ name }) => name !== container.name);
    this.pod = { ...this.pod, spec: { ...this.pod.spec, containers: [container, ...others] } };
    await this.sandbox.prepare(this.pod);
    await loadPrograms();
    const started = this.sandbox.start(container, { id: 'id', repository, podIP: '10.244.0.2', restartCount: this.#restarts++ });
    if ('reason' in started) throw new Error(`${started.reason}: ${started.message}`);
    return started;
  }

  /** Runs a script to its end within `seconds`, and returns its output. */
  async run(script: string, fields: Partial<corev1.Container> = {}, seconds = 5): Promise<string> {
    await this.start({ command: ['sh', '-c', script], ...fields });
    await this.advance(seconds);
    return this.logs();
  }

  async advance(seconds: number): Promise<void> {
    for (let round = 0; round < 3; round++) await settle();
    for (let part = 0; part < 10; part++) {
      await this.clock.advance(seconds * 100);
      await settle();
    }
  }

  async logs(options: object = {}): Promise<string> {
    const request = {
      namespace: 'ns',
      name: 'web',
      uid: 'u',
      container: 'c',
      follow: false,
      previous: false,
      timestamps: false,
      sinceSeconds: undefined,
      sinceTime: undefined,
      tailLines: undefined,
      limitBytes: undefined,
      stream: 'All' as const,
      ...options,
    };
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of this.sandbox.logs(request, new AbortController().signal)) text += decoder.decode(bytes, { stream: true });
    return text;
  }
}
