import { ClustersScreen } from './clusters-screen.ts';
import { SharedScreen } from './shared-screen.ts';

export const shareElements: Readonly<Record<string, CustomElementConstructor>> = {
  'tp-clusters': ClustersScreen,
  'tp-shared': SharedScreen,
};
