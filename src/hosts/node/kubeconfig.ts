/** Creates a kubeconfig for one user of one server, as YAML. */
export function kubeconfigFor(server: { readonly url: string; readonly authority: string | undefined }, token: string): string {
  const trust =
    server.authority === undefined ? '' : `    certificate-authority-data: ${Buffer.from(server.authority).toString('base64')}\n`;
  return `apiVersion: v1
kind: Config
clusters:
- name: tabplane
  cluster:
${trust}    server: ${server.url}
users:
- name: admin
  user:
    token: ${token}
contexts:
- name: tabplane
  context:
    cluster: tabplane
    user: admin
current-context: tabplane
`;
}
