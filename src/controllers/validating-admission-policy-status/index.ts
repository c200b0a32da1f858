import { cacheKeyOf } from '../../client/index.ts';
import { type admissionregistrationv1, admissionregistrationv1ValidatingAdmissionPolicies } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { SchemaResolver } from './schema-resolver.ts';
import { checkPolicy } from './type-check.ts';
import { typesToCheck } from './types-to-check.ts';

type Policy = admissionregistrationv1.ValidatingAdmissionPolicy;

/** The field manager of the status. */
const manager = 'validatingadmissionpolicy-status';

/**
 * Type-checks the expressions of policies against the schemas of the kinds that they match. A part of the base controllers, since the host
 * of an API server has the expression language anyway. Cf. pkg/controller/validatingadmissionpolicystatus.
 */
export const validatingAdmissionPolicyStatus: Controller = (context) => {
  const { client, informers, clock } = context;
  const policies = informers.informer(admissionregistrationv1ValidatingAdmissionPolicies);

  const reconcile = async (name: string): Promise<void> => {
    const policy = policies.store.get(name);
    const { generation: observedGeneration = 0 } = policy?.metadata ?? {};
    if (!policy || observedGeneration <= (policy.status.observedGeneration ?? 0)) return;
    const resolver = new SchemaResolver(context);
    const kinds = await resolver.schemasOf(typesToCheck(policy.spec.matchConstraints?.resourceRules ?? [], await resolver.resources()));
    const params = policy.spec.paramKind && (await resolver.schemaOfParams(policy.spec.paramKind));
    const expressionWarnings = checkPolicy(policy.spec, { kinds, params, nowMs: clock.nowMs() });
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const applied = { metadata: { name }, status: { observedGeneration, typeChecking } };
    const write = client.resource(admissionregistrationv1ValidatingAdmissionPolicies).apply(applied, {
      subresource: 'status',
      fieldManager: manager,
    });
    await ignoreStaleWrite(write);
  };

  const queue = startWorkers({ name: 'validatingadmissionpolicy-status-controller', informers: [policies], reconcile }, context);
  const enqueue = (policy: Policy): void => queue.add(cacheKeyOf(policy));
  policies.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};
