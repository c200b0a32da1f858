/** All controllers, apart from the base ones so that the Service Worker loads only those, and other workers of the page only the others. */

import { baseControllers, type Controller } from '../index.ts';
import { furtherControllers } from './further-controllers.ts';

export { furtherControllers } from './further-controllers.ts';

export const allControllers: Readonly<Record<string, Controller>> = { ...baseControllers, ...furtherControllers };
export type { ClusterCidr } from '../node-ipam/cidr-set.ts';
export { parseClusterCidrs } from '../node-ipam/cluster-cidrs.ts';
