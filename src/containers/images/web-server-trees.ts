import { gnuPrograms } from '../programs/applets.ts';
import { executables, link, type Tree, userFiles } from './root-files.ts';

const welcome =
  '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n<p>If you see this page, the nginx web server is successfully installed and\nworking. Further configuration is required.</p>\n</body>\n</html>\n';

const nginxConfig = `
user  nginx;
worker_processes  auto;

error_log  /var/log/nginx/error.log notice;
pid        /run/nginx.pid;


events {
    worker_connections  1024;
}


http {
    include       /etc/nginx/mime.types;
    default_type  application/octet-stream;

    log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                      '$status $body_bytes_sent "$http_referer" '
                      '"$http_user_agent" "$http_x_forwarded_for"';

    access_log  /var/log/nginx/access.log  main;

    sendfile        on;
    #tcp_nopush     on;

    keepalive_timeout  65;

    #gzip  on;

    include /etc/nginx/conf.d/*.conf;
}
`;

const mediaTypes = `
types {
    text/html                                        html htm shtml;
    text/css                                         css;
    text/xml                                         xml;
    image/gif                                        gif;
    image/jpeg                                       jpeg jpg;
    application/javascript                           js;
    text/plain                                       txt;
    image/png                                        png;
    image/svg+xml                                    svg svgz;
    image/x-icon                                     ico;
    application/json                                 json;
    application/pdf                                  pdf;
    application/zip                                  zip;
}
`;

const nginxDefault = `server {
    listen       80;
    listen  [::]:80;
    server_name  localhost;

    #access_log  /var/log/nginx/host.access.log  main;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    #error_page  404              /404.html;

    # redirect server error pages to the static page /50x.html
    #
    error_page   500 502 503 504  /50x.html;
    location = /50x.html {
        root   /usr/share/nginx/html;
    }
}
`;

const serverError = `<!DOCTYPE html>
<html>
<head>
<title>Error</title>
</head>
<body>
<h1>An error occurred.</h1>
<p>Sorry, the page you are looking for is currently unavailable.<br/>
Please try again later.</p>
</body>
</html>
`;

export const nginxTree = (base: Tree): Tree => ({
  ...base,
  etc: {
    ...userFiles,
    nginx: { 'nginx.conf': nginxConfig, 'mime.types': mediaTypes, 'conf.d': { 'default.conf': nginxDefault } },
  },
  run: {},
  var: { cache: { nginx: {} }, log: { nginx: { 'access.log': link('/dev/stdout'), 'error.log': link('/dev/stderr') } }, run: link('/run') },
  usr: {
    bin: executables([...gnuPrograms, 'bash', 'curl']),
    sbin: executables(['nginx'], 'nginx'),
    local: { bin: {}, sbin: {} },
    share: { nginx: { html: { 'index.html': welcome, '50x.html': serverError } } },
  },
});

const httpdConfig = `ServerRoot "/usr/local/apache2"
Listen 80
User www-data
Group www-data
ServerAdmin you@example.com
<Directory />
    AllowOverride none
    Require all denied
</Directory>
DocumentRoot "/usr/local/apache2/htdocs"
<Directory "/usr/local/apache2/htdocs">
    Options Indexes FollowSymLinks
    AllowOverride None
    Require all granted
</Directory>
<IfModule dir_module>
    DirectoryIndex index.html
</IfModule>
ErrorLog /proc/self/fd/2
LogLevel warn
CustomLog /proc/self/fd/1 common
`;

export const httpdTree = (base: Tree): Tree => ({
  ...base,
  usr: {
    bin: executables([...gnuPrograms, 'bash']),
    sbin: {},
    local: {
      bin: executables(['httpd-foreground'], 'httpd'),
      sbin: {},
      apache2: {
        htdocs: { 'index.html': '<html><body><h1>It works!</h1></body></html>\n' },
        conf: { 'httpd.conf': httpdConfig },
        bin: executables(['httpd']),
      },
    },
  },
});
