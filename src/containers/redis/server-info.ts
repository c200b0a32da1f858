import type { RedisInstance } from './redis-instance.ts';
import { redisVersion } from './version.ts';

/** The reply to INFO; an empty section is all of them. */
export function serverInfo(instance: RedisInstance, section: string): string {
  const { process, config, nowMs } = instance;
  const uptime = Math.floor((nowMs - instance.startedMs) / 1_000);
  const sections: Readonly<Record<string, readonly string[]>> = {
    Server: [
      `redis_version:${redisVersion}`,
      'redis_mode:standalone',
      'os:Linux 6.8.0 x86_64',
      `process_id:${process.pid}`,
      `tcp_port:${config.get('port')}`,
      `uptime_in_seconds:${uptime}`,
      `uptime_in_days:${Math.floor(uptime / 86_400)}`,
      `config_file:`,
    ],
    Clients: [`connected_clients:${instance.clients.size}`, 'blocked_clients:0'],
    Memory: ['used_memory:1048576', 'used_memory_human:1.00M', `maxmemory:${config.get('maxmemory')}`, 'maxmemory_policy:noeviction'],
    Persistence: [
      'loading:0',
      `rdb_last_save_time:${Math.floor(instance.lastSaveMs / 1_000)}`,
      'rdb_last_bgsave_status:ok',
      `aof_enabled:${config.get('appendonly') === 'yes' ? 1 : 0}`,
    ],
    Stats: [
      `total_connections_received:${instance.connectionsReceived}`,
      `total_commands_processed:${instance.commandsProcessed}`,
      `pubsub_channels:${instance.subscribers.size}`,
    ],
    Replication: ['role:master', 'connected_slaves:0', 'master_repl_offset:0'],
    CPU: ['used_cpu_sys:0.100000', 'used_cpu_user:0.100000'],
    Keyspace: instance.used.map(([index, database]) => {
      const keys = database.keys();
      const expiring = keys.filter((key) => database.expiryOf(key) !== undefined).length;
      return `db${index}:keys=${keys.length},expires=${expiring},avg_ttl=0`;
    }),
  };
  return Object.entries(sections)
    .filter(([name]) => section === '' || /^(?:all|default|everything)$/.test(section) || name.toLowerCase() === section)
    .map(([name, lines]) => [`# ${name}`, ...lines, ''].join('\r\n'))
    .join('\r\n');
}
