import type { Clock } from '../env/index.ts';
import { type ApiObject, getOrAdd, type JsonObject } from '../meta/index.ts';
import { changedPaths } from './changed-paths.ts';
import type { Reinvocation } from './reinvocation.ts';

/** The operation and resource of a write; plugins select writes by it. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

/** A resource in one version, and the kind of the objects written to it. The kind of a subresource may be another one. */
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

/** The user of the request. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The admission attributes of an authorized write, before or after validation. Cf. k8s.io/apiserver/pkg/admission Attributes. */
export interface AdmissionRequest extends AdmissionAttributes, ResourceKind {
  /** Empty for cluster-scoped objects. A write to a namespace is in that namespace, once it has a name. */
  readonly namespace: string;
  readonly name: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** The request's options, for example CreateOptions; null for a connection. */
  readonly options: () => JsonObject | null;
  readonly reinvocation: Reinvocation;
  readonly warn: (text: string) => void;
  /** Adds annotations to the audit event; computed only when the request is audited at the level, by default Metadata. */
  readonly annotate: (annotations: () => Readonly<Record<string, string>>, level?: 'Metadata' | 'Request') => void;
  /** Adds the effect of a plugin to the trace; computed only when the request is traced. */
  readonly reportTrace: (plugin: string, did: () => string) => void;
}

/** One admission plugin. It rejects a request by throwing a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Whether the plugin handles writes of this kind. The result must not change, it is cached. */
  handles(write: AdmissionAttributes): boolean;
  /** Returns the object to write; runs before validation. For DELETE, `object` is the object to delete, and the result is not used. */
  mutate?(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<ApiObject>;
  /** Runs after validation; for DELETE, `object` is the object to delete. */
  validate?(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<void>;
}

/** The chain of plugins, in the order of kube-apiserver. */
export interface Admission {
  mutate(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<ApiObject>;
  validate(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<void>;
}

/** The steps of admission, as the metrics of the real server name them. */
export type AdmissionStep = 'admit' | 'validate';

/** Measures plugins. */
export interface AdmissionMeter {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  observe(plugin: string, step: AdmissionStep, operation: string, rejected: boolean, seconds: number): void;
}

export type WebhookLabels = Readonly<Record<'name' | 'operation' | 'rejected' | 'type', string>>;

export type PolicyCheckLabels = Readonly<Record<'enforcement_action' | 'error_type' | 'policy' | 'policy_binding', string>>;

/** Measures calls of webhooks, and failed validations of policies. */
export interface RegistrationMeter {
  observeWebhook(labels: WebhookLabels, seconds: number): void;
  observePolicyCheck(labels: PolicyCheckLabels, seconds: number): void;
}

/** Without a meter, plugins are not measured. */
export function admissionChain(plugins: readonly AdmissionPlugin[], meter?: AdmissionMeter): Admission {
  const mutating = createPluginLookup(plugins.filter(({ mutate }) => mutate));
  const validating = createPluginLookup(plugins.filter(({ validate }) => validate));
  /** The returned function ends the measurement. Not a wrapper of the call, which would delay each plugin by a turn. */
  const startPlugin = (step: AdmissionStep, { name }: AdmissionPlugin, { operation, reportTrace }: AdmissionRequest) => {
    const startMs = meter?.clock.monotonicMs() ?? 0;
    return (rejected: boolean): void => {
      if (rejected) reportTrace(name, () => 'refused');
      meter?.observe(name, step, operation, rejected, (meter.clock.monotonicMs() - startMs) / 1_000);
    };
  };
  return {
    async mutate(request, object, old) {
      const { reinvocation } = request;
      const mutateOnce = async (from: ApiObject): Promise<ApiObject> => {
        let next = from;
        for (const plugin of mutating(request)) {
          const end = startPlugin('admit', plugin, request);
          try {
            next = await applyMutation(plugin, request, next, old);
          } catch (error) {
            end(true);
            throw error;
          }
          end(false);
        }
        return next;
      };
      const made = await mutateOnce(object);
      if (!reinvocation.isRequired) return made;
      reinvocation.startSecondRound();
      return mutateOnce(made);
    },
    async validate(request, object, old) {
      for (const plugin of validating(request)) {
        const end = startPlugin('validate', plugin, request);
        try {
          await plugin.validate?.(request, object, old);
        } catch (error) {
          end(true);
          throw error;
        }
        end(false);
      }
    },
  };
}

async function applyMutation(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  const made = (await plugin.mutate?.(request, object, old)) ?? object;
  if (made !== object) request.reportTrace(plugin.name, () => `changed ${changedPaths(object, made).join(', ')}`);
  return made;
}

/** Selects the plugins for a write, once for each kind of write: most plugins handle few kinds. */
function createPluginLookup(plugins: readonly AdmissionPlugin[]): (write: AdmissionAttributes) => readonly AdmissionPlugin[] {
  const known = new Map<string, readonly AdmissionPlugin[]>();
  return (write) => {
    const key = `${write.operation} ${write.group}/${write.resource}/${write.subresource}`;
    return getOrAdd(known, key, () => plugins.filter((plugin) => plugin.handles(write)));
  };
}
