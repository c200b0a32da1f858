import type { Elements } from '../../define-elements.ts';
import { ContainerFiles } from './container-files.ts';
import { ContainerLogs } from './container-logs.ts';
import { ContainerTerminal } from './container-terminal.ts';
import { NetworkView } from './network-view.ts';
import { OpenPort } from './open-port.ts';
import { PodContainers } from './pod-containers.ts';

/** The tabs about running containers, which are loaded when one of them is first opened. */
export const containerTabs: Elements = {
  'tp-container-files': ContainerFiles,
  'tp-container-logs': ContainerLogs,
  'tp-container-terminal': ContainerTerminal,
  'tp-network-view': NetworkView,
  'tp-open-port': OpenPort,
  'tp-pod-containers': PodContainers,
};
