import { clusterOrigin, homeDirectory, identities, kubeconfigPath, newKubeconfig } from '../../console/model/index.ts';
import type { StoryHome } from '../../embed/story/index.ts';
import { adminToken } from '../browser/users.ts';

/** The home of the shells of examples, with the users of the page. Every other user is impersonated by admin. */
export const storyHome: StoryHome = {
  directory: homeDirectory,
  kubeconfigPath,
  origin: clusterOrigin,
  user(name) {
    const known = identities.find((identity) => identity.name === name);
    const kubeconfig = newKubeconfig();
    if (known) return { kubeconfig: kubeconfig.replace('current-context: admin', `current-context: ${name}`), token: known.token ?? '' };
    const impersonating = `- name: admin\n  user:\n    as: ${JSON.stringify(name)}\n    token: ${adminToken}`;
    return { kubeconfig: kubeconfig.replace(`- name: admin\n  user:\n    token: ${adminToken}`, impersonating), token: '' };
  },
};
