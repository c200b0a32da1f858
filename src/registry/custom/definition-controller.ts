import type { Env } from '../../env/index.ts';
import { type ApiObject, formatTime, type Product, withMetadata } from '../../meta/index.ts';
import { cleanupFinalizer, conditionOf, isTrue } from './definition.ts';
import { type Condition, withCondition, withServedStatus } from './definition-status.ts';
import type { Definitions } from './follow-definitions.ts';

/** How often it is looked whether the objects of a definition that goes are gone, and for how long. */
const lookMs = 5_000;
const looks = 12;

/** What the controller does to the cluster, as the server's own client. */
export interface DefinitionWriter {
  /** Undefined when the definition is gone or has changed meanwhile: its change will be heard. */
  updateStatus(definition: ApiObject): Promise<ApiObject | undefined>;
  /** Deletes all objects of a definition. */
  deleteObjects(definition: ApiObject): Promise<void>;
  countObjects(definition: ApiObject): Promise<number>;
}

/**
 * The controllers that run inside the real server: they accept names, tell what is served, and remove a definition after its objects.
 * Cf. apiextensions-apiserver controller/status, establish, apiapproval, finalizer. The returned function ends it.
 */
export function controlDefinitions(definitions: Definitions, writer: DefinitionWriter, product: Product, env: Env): () => void {
  const control = new Control(definitions, writer, product, env);
  const stop = definitions.onChange((names) => control.look(names));
  control.retry([...definitions.served().definitions.keys()]);
  return () => {
    control.stop();
    stop();
  };
}

class Control {
  readonly #definitions: Definitions;
  readonly #writer: DefinitionWriter;
  readonly #product: Product;
  readonly #env: Env;
  /** Names that are worked on, and whether they have changed since. */
  readonly #open = new Map<string, 'same' | 'changed'>();
  /** Definitions that go and have to be tried again; a change of their own status is no reason to. */
  readonly #due = new Set<string>();
  #stopped = false;

  constructor(definitions: Definitions, writer: DefinitionWriter, product: Product, env: Env) {
    this.#definitions = definitions;
    this.#writer = writer;
    this.#product = product;
    this.#env = env;
  }

  look(names: readonly string[]): void {
    for (const name of names) {
      this.#enqueue(name);
      // A definition that has gone leaves its names to others.
      if (!this.#definitions.served().definitions.has(name)) for (const other of this.#waiting()) this.#enqueue(other);
    }
  }

  /** Also what has failed before. */
  retry(names: readonly string[]): void {
    for (const name of names) this.#due.add(name);
    for (const name of names) this.#enqueue(name);
  }

  stop(): void {
    this.#stopped = true;
  }

  #waiting(): readonly string[] {
    return [...this.#definitions.served().definitions].filter(([, one]) => !isTrue(one, 'NamesAccepted')).map(([name]) => name);
  }

  #enqueue(name: string): void {
    if (this.#open.has(name)) {
      this.#open.set(name, 'changed');
      return;
    }
    this.#open.set(name, 'same');
    // Later: whoever made the change is answered first.
    this.#env.clock.schedule(0, () => void this.#run(name));
  }

  async #run(name: string): Promise<void> {
    try {
      do {
        this.#open.set(name, 'same');
        const definition = this.#definitions.served().definitions.get(name);
        if (definition && !this.#stopped) await this.#reconcile(definition);
      } while (this.#open.get(name) === 'changed' && !this.#stopped);
    } catch (error) {
      if (!this.#stopped) this.#env.log.warn('a definition is left as it is', { name, error });
    } finally {
      this.#open.delete(name);
    }
  }

  async #reconcile(definition: ApiObject): Promise<void> {
    if (definition.metadata.deletionTimestamp !== undefined) return this.#finalize(definition);
    const others = [...this.#definitions.served().definitions.values()].filter((one) => one !== definition);
    const told = withServedStatus(definition, others, this.#product, this.#now());
    if (told !== definition) await this.#writer.updateStatus(told);
  }

  /** Removes the objects, waits until none is left, and lets the definition go. */
  async #finalize(definition: ApiObject): Promise<void> {
    const finalizer = this.#product.rename(cleanupFinalizer);
    if (!definition.metadata.finalizers?.includes(finalizer)) return;
    const { name = '' } = definition.metadata;
    if (!this.#due.delete(name) && hasFailed(definition)) return;
    const begun = await this.#writer.updateStatus(withCondition(definition, inProgress, this.#now()));
    if (!begun) return;
    const condition = isTrue(begun, 'Established') ? await this.#removeObjects(begun) : neverEstablished;
    const told = withCondition(begun, condition, this.#now());
    const left = (told.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    await this.#writer.updateStatus(condition.status === 'False' ? withMetadata(told, { finalizers: left }) : told);
  }

  async #removeObjects(definition: ApiObject): Promise<Condition> {
    try {
      await this.#writer.deleteObjects(definition);
    } catch (error) {
      this.#env.log.warn('objects of a definition cannot be deleted', { name: definition.metadata.name ?? '', error });
      this.#again(definition);
      return failed('InstanceDeletionFailed', `could not issue all deletes: ${error instanceof Error ? error.message : String(error)}`);
    }
    for (let look = 0; look < looks && !this.#stopped; look++) {
      if (look > 0) await this.#env.clock.sleep(lookMs);
      if ((await this.#writer.countObjects(definition)) === 0) {
        return { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
      }
    }
    this.#again(definition);
    return failed('InstanceDeletionCheck', 'could not confirm zero CustomResources remaining: context deadline exceeded');
  }

  #again({ metadata }: ApiObject): void {
    const { name = '' } = metadata;
    this.#env.clock.schedule(lookMs, () => this.retry([name]));
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
  return ['InstanceDeletionFailed', 'InstanceDeletionCheck'].includes(String(conditionOf(definition, 'Terminating')?.['reason'] ?? ''));
}

function failed(reason: string, message: string): Condition {
  return { type: 'Terminating', status: 'True', reason, message };
}
