import { formatTime, type Json, type JsonObject } from '../../../src/meta/index.ts';
import { objectsAt, textAt, valueAt } from './json.ts';
import type { KubeJson } from './scenario.ts';

/** Host of the nodes without a simulated kubelet. */
export const handAddress = '192.0.2.10';

interface Play {
  readonly phase: string;
  readonly isReady: boolean;
  readonly reason: string;
  /** The state of the containers from the time and the exit code. */
  state(now: string, exitCode: number): JsonObject;
}

const running = (now: string): JsonObject => ({ running: { startedAt: now } });
const terminated =
  (reason: string) =>
  (now: string, exitCode: number): JsonObject => ({ terminated: { exitCode, reason, startedAt: now, finishedAt: now } });

const plays: Readonly<Record<string, Play>> = {
  ready: { phase: 'Running', isReady: true, reason: '', state: running },
  running: { phase: 'Running', isReady: false, reason: 'ContainersNotReady', state: running },
  unready: { phase: 'Running', isReady: false, reason: 'ContainersNotReady', state: running },
  succeeded: { phase: 'Succeeded', isReady: false, reason: 'PodCompleted', state: terminated('Completed') },
  failed: { phase: 'Failed', isReady: false, reason: 'PodFailed', state: terminated('Error') },
};

/** Creates the statuses that a kubelet would write: `ready`, `running`, `unready`, `succeeded`, or `failed 3` with an exit code. */
export function createKubeletByHand(nowMs: () => number): (play: string, pod: KubeJson) => JsonObject {
  let pods = 0;
  return (play, pod) => {
    const [word = '', code = '1'] = play.split(' ');
    const found = plays[word];
    if (!found) throw new Error(`unknown play: ${play}`);
    pods++;
    const now = formatTime(nowMs());
    const podIP = textAt(pod['status'], 'podIP') || `10.88.${pods >> 8}.${pods & 255}`;
    const { phase, isReady: ready, reason } = found;
    const state = found.state(now, phase === 'Failed' ? Number(code) : 0);
    const isOver = phase !== 'Running';
    const condition = (type: string, isTrue: boolean, why = ''): Json => ({
      type,
      status: isTrue ? 'True' : 'False',
      lastTransitionTime: now,
      ...(why === '' ? {} : { reason: why }),
    });
    return {
      phase,
      startTime: now,
      hostIP: handAddress,
      podIP,
      podIPs: [{ ip: podIP }],
      conditions: [
        condition('Initialized', true, isOver ? 'PodCompleted' : ''),
        condition('Ready', ready, reason),
        condition('ContainersReady', ready),
      ],
      containerStatuses: objectsAt(pod, 'spec', 'containers').map((container) => ({
        name: valueAt(container, 'name'),
        image: valueAt(container, 'image'),
        imageID: '',
        ready,
        restartCount: 0,
        started: !isOver,
        state,
      })),
    };
  };
}
