import type { ApiObject } from '../meta/index.ts';
import { changedPaths } from './changed-paths.ts';

/** What admission is asked about: a write that is allowed, before or after validation. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly subresource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly user: { readonly username: string; readonly groups: readonly string[] };
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
  /** For the audit log. */
  readonly annotate: (annotations: Readonly<Record<string, string>>) => void;
  /** For the trace: what a plugin did. */
  readonly tell: (plugin: string, did: string) => void;
}

/** One plugin. What it refuses it throws as a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  /** The object as it shall be; before validation. */
  mutate?(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<ApiObject>;
  /** After validation; for DELETE, `object` is what is to go. */
  validate?(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<void>;
}

/** The chain of plugins, in the real server's order. */
export interface Admission {
  mutate(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<ApiObject>;
  validate(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<void>;
}

export function admissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  return {
    mutate: (request, object, old) =>
      tellingRefusals(request, async (ask) => {
        let next = object;
        for (const plugin of plugins) {
          if (!plugin.mutate) continue;
          ask(plugin);
          const made = await plugin.mutate(request, next, old);
          if (made !== next) request.tell(plugin.name, `changed ${changedPaths(next, made).join(', ')}`);
          next = made;
        }
        return next;
      }),
    validate: (request, object, old) =>
      tellingRefusals(request, async (ask) => {
        for (const plugin of plugins) {
          ask(plugin);
          await plugin.validate?.(request, object, old);
        }
      }),
  };
}

async function tellingRefusals<T>(request: AdmissionRequest, run: (ask: (plugin: AdmissionPlugin) => void) => Promise<T>): Promise<T> {
  let asked = '';
  try {
    return await run(({ name }) => {
      asked = name;
    });
  } catch (error) {
    request.tell(asked, 'refused');
    throw error;
  }
}
