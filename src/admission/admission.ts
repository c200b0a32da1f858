import type { ApiObject, JsonObject } from '../meta/index.ts';
import { changedPaths } from './changed-paths.ts';

/** What is done to objects of which kind. */
export interface KindOfWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

/** A resource in one version, and the kind that is written to it: below a resource that may be another one. */
export interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: GroupVersionKind;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Who writes. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What admission is asked about: a write that is allowed, before or after validation. */
export interface AdmissionRequest extends KindOfWrite, ResourceKind {
  /** Empty for cluster-scoped objects; a namespace is in itself, once it has a name. */
  readonly namespace: string;
  readonly name: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** What was asked for besides: CreateOptions and their like; null for a connection. */
  readonly options: () => JsonObject | null;
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
  const mutating = concernedBy(plugins.filter(({ mutate }) => mutate));
  const validating = concernedBy(plugins.filter(({ validate }) => validate));
  return {
    async mutate(request, object, old) {
      let next = object;
      for (const plugin of mutating(request)) next = await mutatedBy(plugin, request, next, old);
      return next;
    },
    async validate(request, object, old) {
      for (const plugin of validating(request)) {
        try {
          await plugin.validate?.(request, object, old);
        } catch (error) {
          request.tell(plugin.name, () => 'refused');
          throw error;
        }
      }
    },
  };
}

async function mutatedBy(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  try {
    const made = (await plugin.mutate?.(request, object, old)) ?? object;
    if (made !== object) request.tell(plugin.name, () => `changed ${changedPaths(object, made).join(', ')}`);
    return made;
  } catch (error) {
    request.tell(plugin.name, () => 'refused');
    throw error;
  }
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
