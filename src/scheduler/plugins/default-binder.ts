import { type corev1, corev1Pods } from '../../schema/api/index.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { errorStatus } from '../framework/status.ts';

/** Binds pods by their subresource. Cf. plugins/defaultbinder. */
export const defaultBinder: PluginFactory = ({ client }) => ({
  name: 'DefaultBinder',
  async bind(_, { pod: { metadata } }, node) {
    const { name = '', namespace = '', uid = '' } = metadata;
    const binding: corev1.Binding = {
      kind: 'Binding',
      apiVersion: 'v1',
      metadata: { name, namespace, uid },
      target: { kind: 'Node', name: node },
    };
    try {
      await client.resource(corev1Pods).createSubresource({ name, namespace }, 'binding', binding);
      return undefined;
    } catch (error) {
      return errorStatus(error);
    }
  },
});
