import { expect, test } from 'vitest';
import { createLoopback } from '../pod/loopback.test-support.ts';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const configFile = '/etc/nginx/conf.d/default.conf';

/** A pod whose configuration is a ConfigMap, mounted as in labs. */
async function startServer(image: string, path: string, config: string, fields: object = {}): Promise<TestSandbox> {
  const pod = new TestSandbox({ volumes: [{ name: 'config', configMap: { name: 'config' } }] }, {}, createLoopback());
  pod.objects.set('/api/v1/namespaces/ns/configmaps/config', { metadata: { name: 'config' }, data: { config } });
  const volumeMounts = [{ name: 'config', mountPath: path, subPath: 'config' }];
  await pod.start({ name: 'server', volumeMounts, ...fields }, `docker.io/library/${image}`);
  await pod.advance(1);
  return pod;
}

async function run(pod: TestSandbox, script: string): Promise<string> {
  await pod.start({ command: ['sh', '-c', script] }, 'docker.io/curlimages/curl');
  await pod.advance(2);
  return pod.logs();
}

const page = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.27.4</center>\r\n</body>\r\n</html>\r\n`;

const config = `
upstream backend { server web:8080; }
map $http_upgrade $connection_upgrade { default upgrade; '' close; }
server {
    listen 80 default_server;
    server_name shop.example;
    root /usr/share/nginx/html;
    error_page 404 /missing.html;
    location = /health { add_header X-Name $hostname; return 200 "ok $host\\n"; }
    location /old { return 301 /new; }
    location /secret { deny all; }
    location ~ \\.php$ { return 410; }
    location /files/ { alias /usr/share/nginx/; autoindex on; }
    location /api/ { proxy_pass http://backend/v1/; proxy_set_header X-Real-IP $remote_addr; }
    location /app { try_files $uri /index.html; add_header X-App yes; }
    location = /missing.html { return 200 "nothing here\n"; }
}
server {
    listen 8080;
    location / { return 200 "$request_method $request_uri $http_x_real_ip $http_host"; }
}
server {
    listen 8081;
    location / { proxy_pass http://backend; }
}
`;

test.each([
  ['-H "Host: shop.example" http://web/health', 'ok shop.example\\n'],
  ['-o /dev/null -w "%{http_code}" http://web/old/x', '301'],
  ['http://web/old', page('301 Moved Permanently')],
  ['-o /dev/null -w "%{http_code}" http://web/secret', '403'],
  ['http://web/a.php', page('410 Gone')],
  ['-w "%{http_code}" http://web/none', 'nothing here\n404'],
  ['"http://web/api/items?a=1"', 'GET /v1/items?a=1 10.244.0.9 backend'],
  // A path that a URL takes for a host.
  ['"http://web:8081//other/items??a=1&b=?"', 'GET //other/items??a=1&b=?  backend'],
  ['-i http://web/health | grep -i x-name', 'x-name: web\r\n'],
  // The headers of the location that serves it.
  ['-i http://web/app/deep | grep -ci x-app', '0\n'],
  ['http://web/app/deep | grep -c Welcome', '2\n'],
  ['-o /dev/null -w "%{http_code}" -d x http://web/', '405'],
])('nginx serves its configuration: curl %s', async (args, output) => {
  expect(await run(await startServer('nginx', configFile, config), `curl -s ${args}`)).toBe(output);
});

test('nginx lists folders, and logs requests and errors', async () => {
  const pod = await startServer('nginx', configFile, config.replace('error_page 404 /missing.html;', ''));
  expect(await run(pod, 'curl -s http://web/files/; curl -s -o /dev/null http://web/none')).toBe(
    '<html>\r\n<head><title>Index of /files/</title></head>\r\n<body>\r\n<h1>Index of /files/</h1><hr><pre><a href="../">../</a>\r\n<a href="html/">html/</a>                                              01-Jan-1970 00:00                   -\r\n</pre><hr></body>\r\n</html>\r\n',
  );
  expect(await pod.logs({ container: 'server' })).toBe(
    `10.244.0.9 - - [01/Jan/2026:00:00:01 +0000] "GET /files/ HTTP/1.1" 200 257 "-" "curl/8.12.1" "-"
2026/01/01 00:00:01 [error] 1#1: *2 open() "/usr/share/nginx/html/none" failed (2: No such file or directory), client: 10.244.0.9, server: shop.example, request: "GET /none HTTP/1.1", host: "web"
10.244.0.9 - - [01/Jan/2026:00:00:01 +0000] "GET /none HTTP/1.1" 404 153 "-" "curl/8.12.1" "-"
`,
  );
});

test('nginx logs the client of a request once', async () => {
  const pod = await startServer(
    'nginx',
    configFile,
    'upstream backend { server web:8080 down; }\nserver { location / { proxy_pass http://backend; } }',
  );
  await run(pod, 'curl -s -o /dev/null http://web/');
  expect(await pod.logs({ container: 'server' })).toContain(
    '[error] 1#1: *1 no live upstreams while connecting to upstream, client: 10.244.0.9, server: , request: "GET / HTTP/1.1", host: "web"\n',
  );
});

test('nginx logs a host that is not found, and a late error with the number of its request', async () => {
  const pod = await startServer(
    'nginx',
    configFile,
    'server { location /slow { proxy_pass http://web:9000; } location /name { proxy_pass http://$arg_host; } }',
  );
  await run(
    pod,
    'sleep 90 | nc -l -p 9000 & sleep 0.1; curl -s -o /dev/null http://web/slow & sleep 0.1; curl -s -o /dev/null "http://web/name?host=none.invalid"; sleep 90',
  );
  await pod.advance(61);
  const lines = (await pod.logs({ container: 'server' })).split('\n').filter((line) => line.includes('[error]'));
  const request = (target: string): string => `client: 10.244.0.9, server: , request: "GET ${target} HTTP/1.1"`;
  expect(lines).toEqual([
    `2026/01/01 00:00:01 [error] 1#1: *2 none.invalid could not be resolved (3: Host not found), ${request('/name?host=none.invalid')}, host: "web"`,
    `2026/01/01 00:01:01 [error] 1#1: *1 upstream timed out (110: Operation timed out) while connecting to upstream, ${request('/slow')}, upstream: "http://web:9000/slow", host: "web"`,
  ]);
});

test.each([
  ['serve { }', 'unknown directive "serve" in FILE:1'],
  ['server {\n  listen 80\n}', 'directive "listen" is not terminated by ";" in FILE:3'],
  ['server {\n  listen 80;', 'unexpected end of file, expecting "}" in FILE:2'],
  ['server { } }', 'unexpected "}" in FILE:1'],
  ['location / { }', '"location" directive is not allowed here in FILE:1'],
  ['server {\n root;\n}', 'invalid number of arguments in "root" directive in FILE:2'],
  ['server { location / { proxy_pass http://nowhere:80; } }', 'host not found in upstream "nowhere" in FILE:1'],
  ['server { location / { proxy_pass nowhere; } }', 'invalid URL prefix in FILE:1'],
])('nginx ends with the error of a broken configuration: %s', async (text, message) => {
  const pod = new TestSandbox({ volumes: [{ name: 'config', configMap: { name: 'config' } }] }, {}, createLoopback());
  pod.objects.set('/api/v1/namespaces/ns/configmaps/config', { metadata: { name: 'config' }, data: { config: text } });
  const container = await pod.start(
    { volumeMounts: [{ name: 'config', mountPath: configFile, subPath: 'config' }] },
    'docker.io/library/nginx',
  );
  await pod.advance(1);
  const shown = message.replace('FILE', configFile);
  expect(container.exit?.code).toBe(1);
  expect(await pod.logs()).toBe(`2026/01/01 00:00:00 [emerg] 1#1: ${shown}\nnginx: [emerg] ${shown}\n`);
});

test('nginx explains that it cannot write: as another user, and on a file system that is read-only', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ securityContext: { runAsUser: 101 } }, 'docker.io/library/nginx');
  await pod.advance(1);
  expect(await pod.logs()).toContain('nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)\n');
  await pod.start({ securityContext: { readOnlyRootFilesystem: true } }, 'docker.io/library/nginx');
  await pod.advance(1);
  expect(await pod.logs()).toContain('nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)\n');
});

test('nginx checks and reloads its configuration on request, and uses the last good one', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  const request = `curl -s -o /dev/null -w "%{http_code}\\n" http://web/new`;
  const script = `nginx > /dev/null 2> /dev/null & sleep 0.2; ${request}; nginx -t
echo 'server { location /new { return 204; } }' > ${configFile}; kill -HUP $!; sleep 0.2; ${request}
echo 'bad' > ${configFile}; nginx -t; kill -HUP $!; sleep 0.2; ${request}`;
  await pod.start({ command: ['sh', '-c', script] }, 'docker.io/library/nginx');
  await pod.advance(2);
  expect(await pod.logs()).toBe(`404
nginx: the configuration file /etc/nginx/nginx.conf syntax is ok
nginx: configuration file /etc/nginx/nginx.conf test is successful
204
2026/01/01 00:00:00 [emerg] 1#1: unexpected end of file, expecting ";" or "}" in ${configFile}:2
nginx: [emerg] unexpected end of file, expecting ";" or "}" in ${configFile}:2
nginx: configuration file /etc/nginx/nginx.conf test failed
204
`);
});

const httpdFile = '/usr/local/apache2/conf/httpd.conf';
const httpdConfig =
  'Listen 8000\nDocumentRoot "/usr/local/apache2"\nDirectoryIndex start.html index.html\nRedirect permanent /old http://other/new\nErrorDocument 404 "not found"\n';

test.each([
  ['http://web:8000/htdocs/', '<html><body><h1>It works!</h1></body></html>\n'],
  ['-i http://web:8000/old/x | grep -i location', 'location: http://other/new/x\r\n'],
  ['-w " %{http_code}" http://web:8000/none', 'not found 404'],
  ['http://web:8000/conf/ | grep -c httpd.conf', '1\n'],
  [
    'http://web:8000/%zz',
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>400 Bad Request</title>\n</head><body>\n<h1>Bad Request</h1>\n<p>Your browser sent a request that this server could not understand.<br />\n</p>\n</body></html>\n',
  ],
  // An escape of what is not UTF-8 is valid.
  ['-w " %{http_code}" http://web:8000/%ff', 'not found 404'],
])('httpd serves its configuration: curl %s', async (args, output) => {
  expect(await run(await startServer('httpd', httpdFile, httpdConfig), `curl -s ${args}`)).toBe(output);
});

test('httpd logs requests, and ends with the error of a broken configuration', async () => {
  const pod = await startServer('httpd', httpdFile, httpdConfig);
  await run(pod, 'curl -s http://web:8000/none');
  expect(await pod.logs({ container: 'server' })).toBe('10.244.0.9 - - [01/Jan/2026:00:00:01 +0000] "GET /none HTTP/1.1" 404 9\n');
  const broken = await startServer('httpd', httpdFile, 'Listen 80\nLissten 81\n');
  expect(await broken.logs({ container: 'server' })).toBe(
    `AH00526: Syntax error on line 2 of ${httpdFile}:\nInvalid command 'Lissten', perhaps misspelled or defined by a module not included in the server configuration\n`,
  );
});
