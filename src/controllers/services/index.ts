/** What the controllers of endpoints share: which pods are endpoints of which services. */
export { endpointHostname, hasClusterAddress, isEndpoint, podAddresses, podReference, targetPort } from './pod-endpoints.ts';
export { dumpPort, hashOf, sortPorts, sortSlicePorts } from './port-order.ts';
export { selectsPod, watchServicePods } from './service-memberships.ts';
export { TriggerTimes } from './trigger-times.ts';
