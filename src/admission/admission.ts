import type { ApiObject } from '../meta/index.ts';
import { changedPaths } from './changed-paths.ts';

/** What is done to objects of which kind. */
export interface KindOfWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

/** Who writes. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What admission is asked about: a write that is allowed, before or after validation. */
export interface AdmissionRequest extends KindOfWrite {
  readonly version: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
  /** For the audit log, if it is kept. */
  readonly annotate: (annotations: () => Readonly<Record<string, string>>) => void;
  /** For the trace: what a plugin did. */
  readonly tell: (plugin: string, did: () => string) => void;
}

/** One plugin. What it refuses it throws as a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether it looks at writes of this kind; the answer is always the same. */
  concerns(write: KindOfWrite): boolean;
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
  const concerned = concernedBy(plugins);
  return {
    mutate: (request, object, old) =>
      tellingRefusals(request, async (ask) => {
        let next = object;
        for (const plugin of concerned(request)) {
          if (!plugin.mutate) continue;
          ask(plugin);
          const before = next;
          const made = await plugin.mutate(request, before, old);
          if (made !== before) request.tell(plugin.name, () => `changed ${changedPaths(before, made).join(', ')}`);
          next = made;
        }
        return next;
      }),
    validate: (request, object, old) =>
      tellingRefusals(request, async (ask) => {
        for (const plugin of concerned(request)) {
          if (!plugin.validate) continue;
          ask(plugin);
          await plugin.validate(request, object, old);
        }
      }),
  };
}

/** Most plugins have to do with a few kinds, and who has is found out once for each kind of write. */
function concernedBy(plugins: readonly AdmissionPlugin[]): (write: KindOfWrite) => readonly AdmissionPlugin[] {
  const known = new Map<string, readonly AdmissionPlugin[]>();
  return (write) => {
    const key = `${write.operation} ${write.group}/${write.resource}/${write.subresource}`;
    const found = known.get(key) ?? plugins.filter((plugin) => plugin.concerns(write));
    known.set(key, found);
    return found;
  };
}

async function tellingRefusals<T>(request: AdmissionRequest, run: (ask: (plugin: AdmissionPlugin) => void) => Promise<T>): Promise<T> {
  let asked = '';
  try {
    return await run(({ name }) => {
      asked = name;
    });
  } catch (error) {
    request.tell(asked, () => 'refused');
    throw error;
  }
}
