import { type ImageReference, isInImageCatalog } from '../cluster/index.ts';

/**
 * What happens to images that are neither emulated nor in the image catalog: their containers run without a program; those with short names
 * cannot be pulled, as Docker Hub's library has only official images; or none can be pulled.
 */
export const unknownImageModes = ['run', 'fail-short-names', 'fail'] as const;

export type UnknownImages = (typeof unknownImageModes)[number];

/** The official images of Docker Hub (docker.io/library), November 2026. */
const officialImages: ReadonlySet<string> = new Set(
  `adminer aerospike almalinux alpine alt amazoncorretto amazonlinux api-firewall arangodb archlinux backdrop bash bonita buildpack-deps
  busybox caddy cassandra centos chronograf cirros clearlinux clefos clickhouse clojure composer consul convertigo couchbase couchdb crate
  dart debian docker drupal eclipse-mosquitto eclipse-temurin eggdrop elasticsearch elixir emqx erlang express-gateway fedora flink fluentd
  friendica gazebo gcc geonetwork ghost golang gradle groovy haproxy haskell haxe hello-seattle hello-world hitch hola-mundo httpd hylang
  ibm-semeru-runtimes ibmjava influxdb irssi jetty jobber joomla jruby julia kapacitor kibana kong krakend lightstreamer liquibase logstash
  mageia mariadb matomo maven mediawiki memcached mongo mongo-express monica mono mysql nats nats-streaming neo4j neurodebian nextcloud
  nginx node notary nuxeo odoo open-liberty openjdk opensuse oraclelinux orientdb percona perl photon php php-zendserver phpmyadmin plone
  postfixadmin postgres pypy python r-base rabbitmq rakudo-star redis redmine registry rethinkdb rocket.chat rockylinux ros ruby rust
  sapmachine satosa scratch silverpeas sl solr sonarqube sourcemage spark spiped storm swarm swift swipl teamspeak telegraf thrift tomcat
  tomee traefik ubuntu unit valkey varnish vault websphere-liberty wordpress xwiki yourls znc zookeeper`.split(/\s+/),
);

/** Whether an image that is not emulated can be pulled. */
export function isPullable({ host, repository }: ImageReference, mode: UnknownImages): boolean {
  if (mode === 'run' || isInImageCatalog(repository)) return true;
  if (mode === 'fail') return false;
  const [library, name = ''] = repository.split('/');
  return host !== 'docker.io' || library !== 'library' || officialImages.has(name);
}
