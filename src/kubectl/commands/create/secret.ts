import { bytesToBase64, type JsonObject, setMember } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { bool, list, text } from '../../parse/flags.ts';
import { compactJson } from '../../printers/json.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';
import { contentHash, readKeySources, readSecretFiles, sourceFlags } from './key-sources.ts';

const resource = builtInResource('v1', 'secrets', 'Secret');
const hash = { 'append-hash': bool() };

const generic: Command = {
  flags: { ...generatorFlags, ...sourceFlags, ...hash, type: text() },
  async run(call) {
    const name = await secretName(call);
    const data: Record<string, string> = {};
    for (const [key, content] of await readKeySources(call, name, 'Secret')) setMember(data, key, bytesToBase64(content));
    return createSecret(call, name, data, call.flags.text('type'));
  },
};

const tls: Command = {
  flags: {
    ...generatorFlags,
    ...hash,
    cert: text(),
    key: text(),
  },
  async run(call) {
    const name = await secretName(call);
    const { flags, shell } = call;
    if (flags.text('key') === '' || flags.text('cert') === '') throw new KubectlError('key and cert must be specified');
    const read = async (path: string): Promise<Uint8Array> => {
      const content = await shell.files.read(call.path(path));
      if (!content) throw new KubectlError(`Cannot read file ${path}, open ${path}: no such file or directory`);
      return content;
    };
    const [cert, key] = [await read(flags.text('cert')), await read(flags.text('key'))];
    const isPem = (content: Uint8Array): boolean => /-----BEGIN [A-Z ]+-----/.test(new TextDecoder().decode(content));
    if (!isPem(cert)) throw new KubectlError('tls: failed to find any PEM data in certificate input');
    if (!isPem(key)) throw new KubectlError('tls: failed to find any PEM data in key input');
    return createSecret(
      call,
      name,
      { 'tls.crt': bytesToBase64(cert), 'tls.key': bytesToBase64(key) },
      call.product.rename('kubernetes.io/tls'),
    );
  },
};

const dockerRegistry: Command = {
  flags: {
    ...generatorFlags,
    ...hash,
    'docker-email': text(),
    'docker-password': text(),
    'docker-server': text('https://index.docker.io/v1/'),
    'docker-username': text(),
    'from-file': list(),
  },
  async run(call) {
    const name = await secretName(call);
    const data: Record<string, string> = {};
    for (const [key, content] of await readDockerConfig(call, name)) setMember(data, key, bytesToBase64(content));
    return createSecret(call, name, data, call.product.rename('kubernetes.io/dockerconfigjson'));
  },
};

const configKey = '.dockerconfigjson';

async function readDockerConfig(call: Call, name: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const { flags } = call;
  const sources = flags.list('from-file');
  const [server, username, password, email] = ['docker-server', 'docker-username', 'docker-password', 'docker-email'].map((flag) =>
    flags.text(flag),
  );
  if (sources.length > 0)
    return readSecretFiles(
      call,
      name,
      sources.map((source) => (source.includes('=') ? source : `${configKey}=${source}`)),
    );
  if (!username || !password || !server) {
    throw new KubectlError('either --from-file or the combination of --docker-username, --docker-password and --docker-server is required');
  }
  const auth = bytesToBase64(new TextEncoder().encode(`${username}:${password}`));
  const entry = { username, password, ...(email ? { email } : {}), auth };
  return new Map([[configKey, new TextEncoder().encode(JSON.stringify({ auths: { [server]: entry } }))]]);
}

async function secretName(call: Call): Promise<string> {
  const name = await completeCreation(call);
  if (name === '') throw new KubectlError('name must be specified');
  return name;
}

async function createSecret(call: Call, name: string, data: JsonObject, type: string): Promise<number> {
  const hashed = call.flags.bool('append-hash') ? `-${await contentHash(compactJson({ data, kind: 'Secret', name, type }))}` : '';
  const members = { ...(Object.keys(data).length > 0 ? { data } : {}), ...(type === '' ? {} : { type }) };
  return createAndPrint(call, {
    resource,
    object: buildObject(resource, { name: name + hashed }, members),
    failure: 'failed to create secret ',
  });
}

export const secret: Command = {
  subcommands: {
    'docker-registry': { about: 'Create a secret for use with a Docker registry', load: () => Promise.resolve(dockerRegistry) },
    generic: { about: 'Create a secret from a local file, directory, or literal value', load: () => Promise.resolve(generic) },
    tls: { about: 'Create a TLS secret', load: () => Promise.resolve(tls) },
  },
};
