import { type ApiClient, hasStatus, type KubeObject, type PartialObject } from '../../../src/client/index.ts';
import {
  type ApiResource,
  appsv1DaemonSets,
  appsv1Deployments,
  appsv1StatefulSets,
  batchv1Jobs,
  corev1ConfigMaps,
  corev1Nodes,
  corev1Pods,
  corev1ResourceQuotas,
  policyv1PodDisruptionBudgets,
} from '../../../src/schema/api/index.ts';
import type { Environment } from '../environment.ts';
import { appLabel, daemonSetOf, deploymentOf, jobOf, statefulSetOf, templateOf } from './manifests.ts';
import type { ObservedState } from './observed-state.ts';

/** Quotas are large enough from then on. */
const generousPods = '200';

const deployments = ['web', 'api'] as const;
const statefulSets = ['db', 'queue'] as const;
const propagations = ['Background', 'Foreground', 'Orphan'] as const;

export interface UserOptions {
  readonly environment: Environment;
  readonly client: ApiClient;
  readonly state: ObservedState;
  /** Whether the user interferes with pods: deletions, evictions, quotas, failing nodes. */
  readonly disrupts: boolean;
}

/** Creates workloads, changes and deletes them at random. */
export class User {
  readonly #environment: Environment;
  readonly #client: ApiClient;
  readonly #state: ObservedState;
  readonly #disrupts: boolean;
  #version = 1;
  #names = 0;

  constructor({ environment, client, state, disrupts }: UserOptions) {
    this.#environment = environment;
    this.#client = client;
    this.#state = state;
    this.#disrupts = disrupts;
  }

  /** Creates some workloads. */
  async prepare(): Promise<void> {
    const { once } = this.#environment;
    for (const name of deployments) if (!once(3)) await this.#create(appsv1Deployments, deploymentOf(name, this.#environment));
    if (!once(3)) await this.#create(appsv1StatefulSets, statefulSetOf(statefulSets[0], this.#environment));
    if (once(2)) await this.#create(appsv1DaemonSets, daemonSetOf('agent', this.#environment));
    if (this.#disrupts && once(2)) await this.#createBudget();
  }

  /** One random operation. Errors of the API are answers like others: objects may be absent, or exist. */
  async act(): Promise<void> {
    const { pick, coverage, record } = this.#environment;
    const [name, act] = pick(this.#disrupts ? [...this.#gentle, ...this.#rough] : this.#gentle);
    try {
      await act();
      coverage.count(`user: ${name}`);
      record('user', name);
    } catch (error) {
      if (!hasStatus(error, 403, 404, 409, 422, 429)) throw error;
      coverage.count(`user: ${name} ${error.status}`);
      record('user', `${name} ${error.status}`);
    }
  }

  /** Removes what keeps objects from their desired state for good. */
  async relent(): Promise<void> {
    for (const { metadata } of this.#state.list('ResourceQuota')) {
      await this.#merge(corev1ResourceQuotas, metadata.name ?? '', { spec: { hard: { pods: generousPods, 'requests.cpu': '100' } } });
    }
    for (const { metadata } of this.#state.list('Node')) {
      await this.#client.resource(corev1Nodes).patch({ name: metadata.name ?? '' }, 'merge', { spec: { unschedulable: null } });
    }
  }

  readonly #gentle: readonly [Operation, ...Operation[]] = [
    ['create deployment', () => this.#create(appsv1Deployments, deploymentOf(this.#pick(deployments), this.#environment))],
    ['roll deployment', () => this.#roll(appsv1Deployments, this.#pick(deployments))],
    ['roll deployment', () => this.#roll(appsv1Deployments, this.#pick(deployments))],
    ['roll deployment back', () => this.#rollBack()],
    ['scale deployment', () => this.#scale(appsv1Deployments, this.#pick(deployments), 5)],
    ['pause deployment', () => this.#pause(true)],
    ['resume deployment', () => this.#pause(false)],
    ['delete deployment', () => this.#delete(appsv1Deployments, this.#pick(deployments))],
    ['create stateful set', () => this.#create(appsv1StatefulSets, statefulSetOf(this.#pick(statefulSets), this.#environment))],
    ['roll stateful set', () => this.#roll(appsv1StatefulSets, this.#pick(statefulSets))],
    ['scale stateful set', () => this.#scale(appsv1StatefulSets, this.#pick(statefulSets), 4)],
    ['delete stateful set', () => this.#delete(appsv1StatefulSets, this.#pick(statefulSets))],
    ['create daemon set', () => this.#create(appsv1DaemonSets, daemonSetOf('agent', this.#environment))],
    ['roll daemon set', () => this.#roll(appsv1DaemonSets, 'agent')],
    ['delete daemon set', () => this.#delete(appsv1DaemonSets, 'agent')],
    ['create job', () => this.#create(batchv1Jobs, jobOf(`job${this.#names++}`, this.#environment))],
    ['create job', () => this.#create(batchv1Jobs, jobOf(`job${this.#names++}`, this.#environment))],
    ['change job', () => this.#changeJob()],
    ['delete job', () => this.#deleteSome('Job', batchv1Jobs)],
    ['create owners', () => this.#createOwners()],
    ['delete owner', () => this.#deleteSome('ConfigMap', corev1ConfigMaps)],
  ];

  readonly #rough: readonly Operation[] = [
    ['delete pod', () => this.#deletePod()],
    ['evict pod', () => this.#evict()],
    ['evict pod', () => this.#evict()],
    ['evict pod', () => this.#evict()],
    ['create budget', () => this.#createBudget()],
    ['create quota', () => this.#createQuota()],
    ['change quota', () => this.#changeQuota()],
    ['cordon', () => this.#cordon(true)],
    ['uncordon', () => this.#cordon(null)],
  ];

  #pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return this.#environment.pick(items);
  }

  async #create<T extends KubeObject>(resource: ApiResource<T>, object: PartialObject<T>): Promise<void> {
    await this.#client.resource(resource).create(object);
  }

  async #merge<T extends KubeObject>(resource: ApiResource<T>, name: string, change: object): Promise<void> {
    await this.#client.resource(resource).patch({ namespace: 'default', name }, 'merge', change);
  }

  #roll<T extends KubeObject>(resource: ApiResource<T>, name: string): Promise<void> {
    return this.#merge(resource, name, { spec: { template: templateOf(name, ++this.#version) } });
  }

  /** Back to the template of an older replica set. */
  async #rollBack(): Promise<void> {
    const name = this.#pick(deployments);
    const deployment = this.#state.list('Deployment').find(({ metadata }) => metadata.name === name);
    const templates = deployment ? this.#state.controlled('ReplicaSet', deployment).map(({ spec }) => spec.template) : [];
    const template = templates[this.#environment.random.integer(Math.max(1, templates.length))];
    const env = template?.spec?.containers?.[0]?.env?.[0]?.value;
    await this.#merge(appsv1Deployments, name, { spec: { template: templateOf(name, Number(env ?? 1)) } });
  }

  #scale<T extends KubeObject>(resource: ApiResource<T>, name: string, below: number): Promise<void> {
    return this.#merge(resource, name, { spec: { replicas: this.#environment.random.integer(below) } });
  }

  #pause(paused: boolean): Promise<void> {
    return this.#merge(appsv1Deployments, this.#pick(deployments), { spec: { paused } });
  }

  async #delete<T extends KubeObject>(resource: ApiResource<T>, name: string): Promise<void> {
    const propagationPolicy = this.#pick(propagations);
    await this.#client.resource(resource).delete({ namespace: 'default', name }, { propagationPolicy });
  }

  async #deleteSome<T extends KubeObject>(kind: 'Job' | 'ConfigMap', resource: ApiResource<T>): Promise<void> {
    const name = this.#some(this.#state.list(kind))?.metadata.name;
    if (name !== undefined) await this.#delete(resource, name);
  }

  async #changeJob(): Promise<void> {
    const job = this.#some(this.#state.list('Job'));
    if (!job) return;
    const change = this.#environment.once(2)
      ? { suspend: job.spec.suspend !== true }
      : { parallelism: this.#environment.random.integer(4) };
    await this.#merge(batchv1Jobs, job.metadata.name ?? '', { spec: change });
  }

  /** A tree of config maps, and one whose owner does not exist. */
  async #createOwners(): Promise<void> {
    const { random, once } = this.#environment;
    const maps = this.#client.resource(corev1ConfigMaps);
    const created: KubeObject[] = [];
    for (let index = 0; index < 4; index++) {
      const owner = created[random.integer(Math.max(1, created.length))];
      const uid = once(8) ? random.uuid() : owner?.metadata.uid;
      const reference = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: owner?.metadata.name ?? '',
        blockOwnerDeletion: once(2),
        uid: uid ?? '',
      };
      const ownerReferences = owner ? [reference] : [];
      created.push(await maps.create({ metadata: { namespace: 'default', name: `map${this.#names++}`, ownerReferences } }));
    }
  }

  async #deletePod(): Promise<void> {
    const name = this.#some(this.#state.list('Pod'))?.metadata.name;
    if (name !== undefined) await this.#client.resource(corev1Pods).delete({ namespace: 'default', name });
  }

  async #evict(): Promise<void> {
    const budgeted = this.#state
      .list('Pod')
      .filter(({ metadata: { labels } }) => labels?.[appLabel] === 'db' || labels?.[appLabel] === 'web');
    const name = this.#some(budgeted)?.metadata.name;
    if (name === undefined) return;
    const body = {
      kind: 'Eviction',
      apiVersion: this.#client.options.product.rename('policy/v1'),
      metadata: { namespace: 'default', name },
    };
    await this.#client.resource(corev1Pods).createSubresource({ namespace: 'default', name }, 'eviction', body);
  }

  async #createBudget(): Promise<void> {
    const app = this.#pick(['web', 'db']);
    const limit = this.#pick([{ minAvailable: 1 }, { minAvailable: 2 }, { maxUnavailable: 1 }, { minAvailable: '50%' }]);
    const spec = { selector: { matchLabels: { [appLabel]: app } }, ...limit };
    await this.#create(policyv1PodDisruptionBudgets, { metadata: { namespace: 'default', name: app }, spec });
  }

  async #createQuota(): Promise<void> {
    const hard = { pods: `${4 + this.#environment.random.integer(10)}`, 'requests.cpu': this.#pick(['1', '2', '10']) };
    await this.#create(corev1ResourceQuotas, { metadata: { namespace: 'default', name: 'limit' }, spec: { hard } });
  }

  #changeQuota(): Promise<void> {
    return this.#merge(corev1ResourceQuotas, 'limit', { spec: { hard: { pods: `${3 + this.#environment.random.integer(12)}` } } });
  }

  async #cordon(unschedulable: true | null): Promise<void> {
    const name = this.#some(this.#state.list('Node'))?.metadata.name;
    if (name !== undefined) await this.#client.resource(corev1Nodes).patch({ name }, 'merge', { spec: { unschedulable } });
  }

  #some<T>(items: readonly T[]): T | undefined {
    return items[this.#environment.random.integer(Math.max(1, items.length))];
  }
}

type Operation = readonly [name: string, run: () => Promise<void>];
