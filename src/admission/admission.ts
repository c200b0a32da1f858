import type { ApiObject } from '../meta/index.ts';

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
    async mutate(request, object, old) {
      let next = object;
      for (const plugin of plugins) if (plugin.mutate) next = await plugin.mutate(request, next, old);
      return next;
    },
    async validate(request, object, old) {
      for (const plugin of plugins) await plugin.validate?.(request, object, old);
    },
  };
}
