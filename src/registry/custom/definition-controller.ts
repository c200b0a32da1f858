import { type Env, errorMessage } from '../../env/index.ts';
import { type ApiObject, formatTime, type Product, withMetadata } from '../../meta/index.ts';
import { cleanupFinalizer, conditionOf, isTrue } from './definition.ts';
import type { DefinitionInformer } from './definition-informer.ts';
import { type Condition, withCondition, withServedStatus } from './definition-status.ts';

/** Interval and number of checks whether the objects of a terminating definition are deleted. */
const checkIntervalMs = 5_000;
const maxChecks = 12;

/** The controller's writes to the cluster, as the loopback client. */
export interface DefinitionWriter {
  /** Returns undefined when the definition was deleted or changed concurrently: the informer reports that change. */
  updateStatus(definition: ApiObject): Promise<ApiObject | undefined>;
  /** Deletes all objects of a definition. */
  deleteObjects(definition: ApiObject): Promise<void>;
  countObjects(definition: ApiObject): Promise<number>;
}

/**
 * The controllers that run inside kube-apiserver: they accept names, establish definitions, and remove a definition after its objects.
 * Cf. apiextensions-apiserver controller/status, establish, apiapproval, finalizer. The returned function stops them.
 */
export function startDefinitionController(
  definitions: DefinitionInformer,
  writer: DefinitionWriter,
  product: Product,
  env: Env,
): () => void {
  const control = new DefinitionController(definitions, writer, product, env);
  const stop = definitions.onChange((names) => control.enqueueChanged(names));
  control.retry([...definitions.snapshot().definitions.keys()]);
  return () => {
    control.stop();
    stop();
  };
}

class DefinitionController {
  readonly #definitions: DefinitionInformer;
  readonly #writer: DefinitionWriter;
  readonly #product: Product;
  readonly #env: Env;
  /** Names being reconciled, and whether they changed since the reconciliation began. */
  readonly #running = new Map<string, 'same' | 'changed'>();
  /** Terminating definitions whose finalization is retried; a change of their status alone does not retry it. */
  readonly #retries = new Set<string>();
  #stopped = false;

  constructor(definitions: DefinitionInformer, writer: DefinitionWriter, product: Product, env: Env) {
    this.#definitions = definitions;
    this.#writer = writer;
    this.#product = product;
    this.#env = env;
  }

  enqueueChanged(names: readonly string[]): void {
    for (const name of names) {
      this.#enqueue(name);
      // The names of a deleted definition become free for others.
      if (!this.#definitions.snapshot().definitions.has(name)) for (const other of this.#namesWithConflicts()) this.#enqueue(other);
    }
  }

  /** Reconciles also definitions whose finalization has failed. */
  retry(names: readonly string[]): void {
    for (const name of names) this.#retries.add(name);
    for (const name of names) this.#enqueue(name);
  }

  stop(): void {
    this.#stopped = true;
  }

  #namesWithConflicts(): readonly string[] {
    return [...this.#definitions.snapshot().definitions].filter(([, one]) => !isTrue(one, 'NamesAccepted')).map(([name]) => name);
  }

  #enqueue(name: string): void {
    if (this.#running.has(name)) {
      this.#running.set(name, 'changed');
      return;
    }
    this.#running.set(name, 'same');
    // Asynchronously: the write that changed the definition is answered first.
    this.#env.clock.schedule(0, () => void this.#run(name));
  }

  async #run(name: string): Promise<void> {
    try {
      do {
        this.#running.set(name, 'same');
        const definition = this.#definitions.snapshot().definitions.get(name);
        if (definition && !this.#stopped) await this.#reconcile(definition);
      } while (this.#running.get(name) === 'changed' && !this.#stopped);
    } catch (error) {
      if (!this.#stopped) this.#env.log.warn('a definition is left as it is', { name, error });
    } finally {
      this.#running.delete(name);
    }
  }

  async #reconcile(definition: ApiObject): Promise<void> {
    if (definition.metadata.deletionTimestamp !== undefined) return this.#finalize(definition);
    const others = [...this.#definitions.snapshot().definitions.values()].filter((one) => one !== definition);
    const updated = withServedStatus(definition, others, this.#product, this.#now());
    if (updated !== definition) await this.#writer.updateStatus(updated);
  }

  /** Deletes the objects, waits until none is left, and removes the finalizer. */
  async #finalize(definition: ApiObject): Promise<void> {
    const finalizer = this.#product.rename(cleanupFinalizer);
    if (!definition.metadata.finalizers?.includes(finalizer)) return;
    const { name = '' } = definition.metadata;
    if (!this.#retries.delete(name) && hasFailed(definition)) return;
    const begun = await this.#writer.updateStatus(withCondition(definition, inProgress, this.#now()));
    if (!begun) return;
    const condition = isTrue(begun, 'Established') ? await this.#removeObjects(begun) : neverEstablished;
    const updated = withCondition(begun, condition, this.#now());
    const left = (updated.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    await this.#writer.updateStatus(condition.status === 'False' ? withMetadata(updated, { finalizers: left }) : updated);
  }

  async #removeObjects(definition: ApiObject): Promise<Condition> {
    try {
      await this.#writer.deleteObjects(definition);
    } catch (error) {
      this.#env.log.warn('objects of a definition cannot be deleted', { name: definition.metadata.name ?? '', error });
      this.#scheduleRetry(definition);
      return terminatingCondition('InstanceDeletionFailed', `could not issue all deletes: ${errorMessage(error)}`);
    }
    for (let check = 0; check < maxChecks && !this.#stopped; check++) {
      if (check > 0) await this.#env.clock.sleep(checkIntervalMs);
      if ((await this.#writer.countObjects(definition)) === 0) {
        return { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
      }
    }
    this.#scheduleRetry(definition);
    return terminatingCondition('InstanceDeletionCheck', 'could not confirm zero CustomResources remaining: context deadline exceeded');
  }

  #scheduleRetry({ metadata }: ApiObject): void {
    const { name = '' } = metadata;
    this.#env.clock.schedule(checkIntervalMs, () => this.retry([name]));
  }

  #now(): string {
    return formatTime(this.#env.clock.nowMs());
  }
}

const inProgress: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const neverEstablished: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};

function hasFailed(definition: ApiObject): boolean {
  return ['InstanceDeletionFailed', 'InstanceDeletionCheck'].includes(conditionOf(definition, 'Terminating')?.reason ?? '');
}

function terminatingCondition(reason: string, message: string): Condition {
  return { type: 'Terminating', status: 'True', reason, message };
}
