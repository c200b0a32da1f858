import { ApiError, type EventRecorder, hasStatus, type KubeObject, type PartialObject, type ResourceClient } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { objectsAt } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

export interface PodControlOptions {
  readonly pods: ResourceClient<corev1.Pod>;
  readonly recorder: Pick<EventRecorder, 'event'>;
}

/** Creates and deletes the pods of controllers, with events about the controllers. Cf. controller_utils.go RealPodControl. */
export class PodControl {
  readonly #options: PodControlOptions;

  constructor(options: PodControlOptions) {
    this.#options = options;
  }

  /** Creates a pod in the namespace of its controller. @throws ApiError */
  async create(pod: PartialObject<corev1.Pod>, controller: KubeObject): Promise<corev1.Pod> {
    const { pods, recorder } = this.#options;
    const { namespace } = controller.metadata;
    if (Object.keys(pod.metadata?.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels');
    try {
      const created = await pods.create({ ...pod, metadata: { ...pod.metadata, ...(namespace === undefined ? {} : { namespace }) } });
      recorder.event(controller, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!isNamespaceTerminating(error)) recorder.event(controller, 'Warning', 'FailedCreate', `Error creating: ${errorMessage(error)}`);
      throw error;
    }
  }

  /** @throws ApiError with 404 when the pod does not exist, else an Error */
  async delete({ metadata }: Pick<corev1.Pod, 'metadata'>, controller: KubeObject): Promise<void> {
    const { pods, recorder } = this.#options;
    const { name = '', namespace = '' } = metadata;
    try {
      await pods.delete({ name, namespace });
    } catch (error) {
      if (hasStatus(error, 404)) throw error;
      recorder.event(controller, 'Warning', 'FailedDelete', `Error deleting: ${errorMessage(error)}`);
      throw new Error(`unable to delete pods: ${errorMessage(error)}`);
    }
    recorder.event(controller, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  }
}

/** Whether a creation failed because its namespace is being deleted: all pods of the namespace will be deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  return error instanceof ApiError && objectsAt(error.details, 'causes').some(({ reason }) => reason === 'NamespaceTerminating');
}
