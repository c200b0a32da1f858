import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject, productByName } from '../../../../meta/index.ts';
import { createCatalog } from '../../../catalog.ts';
import { createInternalFormatter } from '../../internal/internal-formatter.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate } from './pod-annotations.ts';

const product = productByName('kubernetes');
const context: ValidationContext = {
  rename: (text) => text,
  names: product.names,
  gates: createFeatureGates(),
  internal: createInternalFormatter(createCatalog(product).type),
  checkDeviceSelector: () => undefined,
  allowPrivileged: true,
};
const pod = (annotations: JsonObject): JsonObject => ({ metadata: { annotations }, spec: { containers: [{ name: 'c' }] } });
const cost = 'controller.kubernetes.io/pod-deletion-cost';
const armor = 'container.apparmor.security.beta.kubernetes.io/';

test.each<[name: string, value: string, message: string | undefined]>([
  [cost, '-5', undefined],
  [cost, '05', `metadata.annotations[${cost}]: Invalid value: "05": must be a 32bit integer`],
  [cost, '2147483648', `metadata.annotations[${cost}]: Invalid value: "2147483648": must be a 32bit integer`],
  [`${armor}c`, 'localhost/x', undefined],
  [`${armor}d`, 'unconfined', `metadata.annotations[${armor}d]: Invalid value: "d": container not found`],
  [`${armor}c`, 'odd', `metadata.annotations[${armor}c]: Invalid value: "odd": invalid AppArmor profile name: "odd"`],
  [
    'seccomp.security.alpha.kubernetes.io/pod',
    'odd',
    'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "odd": must be a valid seccomp profile',
  ],
])('validates the annotation %s: %s', (name, value, message) => {
  const [error] = validatePodAnnotations(pod({ [name]: value }), 'metadata.annotations', context);
  expect(error && `${error.field}: ${error.message}`).toBe(message);
});

test('annotations that a node reads at start are immutable', () => {
  const errors = validatePodAnnotationsUpdate(pod({ 'kubernetes.io/config.mirror': 'x' }), pod({ [`${armor}c`]: 'unconfined' }), context);
  expect(errors.map(({ message }) => message)).toEqual([
    'Forbidden: may not remove or update AppArmor annotations',
    'Forbidden: may not add mirror pod annotation',
    'Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
  ]);
});
