import { AuditSettings } from './audit-settings.ts';
import { ClusterRows } from './cluster-rows.ts';
import { ClustersScreen } from './clusters-screen.ts';
import { SharedScreen } from './shared-screen.ts';
import { UrlFrame } from './url-frame.ts';

export const shareElements: Readonly<Record<string, CustomElementConstructor>> = {
  'tp-audit-settings': AuditSettings,
  'tp-cluster-rows': ClusterRows,
  'tp-clusters': ClustersScreen,
  'tp-shared': SharedScreen,
  'tp-url-frame': UrlFrame,
};
