import { listAndWatch } from '../../client/index.ts';
import { metadataOf } from '../../kubectl/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { errorText } from './api.ts';

/** A watched list of objects. */
export class WatchedObjects {
  /** Undefined until they are listed. */
  objects: readonly JsonObject[] | undefined;
  /** The error of the last list, or empty. */
  failure = '';
  readonly #byUid = new Map<string, JsonObject>();
  readonly #life = new AbortController();
  readonly #onChange: () => void;

  constructor(
    model: ConsoleModel,
    { path, query }: { readonly path: string; readonly query: Readonly<Record<string, string>> },
    onChange: () => void,
  ) {
    this.#onChange = onChange;
    void listAndWatch(
      { api: model.internalApi, clock: model.env.clock, path, query },
      {
        onListed: (objects) => {
          this.#byUid.clear();
          for (const object of objects) this.#byUid.set(uidOf(object), object);
          this.#changed();
        },
        onEvent: ({ type, object }) => {
          if (type === 'DELETED') this.#byUid.delete(uidOf(object));
          else this.#byUid.set(uidOf(object), object);
          this.#changed();
        },
        onStateChange: (state, cause) => {
          if (state === 'waiting' && cause instanceof Error && 'status' in cause) this.failure = errorText(cause);
          if (state === 'watching') this.failure = '';
          this.#onChange();
        },
      },
      this.#life.signal,
    );
  }

  close(): void {
    this.#life.abort();
  }

  #changed(): void {
    this.objects = [...this.#byUid.values()];
    this.#onChange();
  }
}

function uidOf(object: JsonObject): string {
  return String(metadataOf(object)['uid']);
}
