import admissionregistrationTexts from './data/descriptions/admissionregistration.json' with { type: 'json' };
import apiextensionsTexts from './data/descriptions/apiextensions.json' with { type: 'json' };
import apiregistrationTexts from './data/descriptions/apiregistration.json' with { type: 'json' };
import apiserverinternalTexts from './data/descriptions/apiserverinternal.json' with { type: 'json' };
import appsTexts from './data/descriptions/apps.json' with { type: 'json' };
import authenticationTexts from './data/descriptions/authentication.json' with { type: 'json' };
import authorizationTexts from './data/descriptions/authorization.json' with { type: 'json' };
import autoscalingTexts from './data/descriptions/autoscaling.json' with { type: 'json' };
import batchTexts from './data/descriptions/batch.json' with { type: 'json' };
import certificatesTexts from './data/descriptions/certificates.json' with { type: 'json' };
import columnTexts from './data/descriptions/columns.json' with { type: 'json' };
import commonTexts from './data/descriptions/common.json' with { type: 'json' };
import coordinationTexts from './data/descriptions/coordination.json' with { type: 'json' };
import coreNetworkTexts from './data/descriptions/core.network.json' with { type: 'json' };
import coreNodesTexts from './data/descriptions/core.nodes.json' with { type: 'json' };
import coreOthersTexts from './data/descriptions/core.others.json' with { type: 'json' };
import corePodsTexts from './data/descriptions/core.pods.json' with { type: 'json' };
import coreVolumesTexts from './data/descriptions/core.volumes.json' with { type: 'json' };
import discoveryTexts from './data/descriptions/discovery.json' with { type: 'json' };
import eventsTexts from './data/descriptions/events.json' with { type: 'json' };
import flowcontrolTexts from './data/descriptions/flowcontrol.json' with { type: 'json' };
import metaTexts from './data/descriptions/meta.json' with { type: 'json' };
import metricsTexts from './data/descriptions/metrics.json' with { type: 'json' };
import networkingTexts from './data/descriptions/networking.json' with { type: 'json' };
import nodeTexts from './data/descriptions/node.json' with { type: 'json' };
import policyTexts from './data/descriptions/policy.json' with { type: 'json' };
import rbacTexts from './data/descriptions/rbac.json' with { type: 'json' };
import resourceTexts from './data/descriptions/resource.json' with { type: 'json' };
import schedulingTexts from './data/descriptions/scheduling.json' with { type: 'json' };
import specialTexts from './data/descriptions/special.json' with { type: 'json' };
import storageTexts from './data/descriptions/storage.json' with { type: 'json' };
import storagemigrationTexts from './data/descriptions/storagemigration.json' with { type: 'json' };
import type { DescriptionData } from './descriptions.ts';

/** The files of data/descriptions by API group, and the columns of tables. Loaded on demand only: see loadDescriptions. */
export const descriptionData: DescriptionData = {
  admissionregistration: admissionregistrationTexts,
  apiextensions: apiextensionsTexts,
  apiregistration: apiregistrationTexts,
  apiserverinternal: apiserverinternalTexts,
  apps: appsTexts,
  authentication: authenticationTexts,
  authorization: authorizationTexts,
  autoscaling: autoscalingTexts,
  batch: batchTexts,
  certificates: certificatesTexts,
  columns: columnTexts,
  common: commonTexts,
  coordination: coordinationTexts,
  core: { ...coreNetworkTexts, ...coreNodesTexts, ...coreOthersTexts, ...corePodsTexts, ...coreVolumesTexts },
  discovery: discoveryTexts,
  events: eventsTexts,
  flowcontrol: flowcontrolTexts,
  meta: metaTexts,
  metrics: metricsTexts,
  networking: networkingTexts,
  node: nodeTexts,
  policy: policyTexts,
  rbac: rbacTexts,
  resource: resourceTexts,
  scheduling: schedulingTexts,
  special: specialTexts,
  storage: storageTexts,
  storagemigration: storagemigrationTexts,
};
