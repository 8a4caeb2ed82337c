/** Starts egress: the CONNECT proxy, HTTP for health, the relay of its events. */
import 'reflect-metadata';
import { createHttpApp, createLogger, listenHttp, measureOutboxLag, runProcess, startTelemetry } from '@bravo/chassis';
import { configureProcess, egressSettings } from '@bravo/config';
import { startOutboxRelay } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { createDatabase } from './databases/database.prisma.ts';
import { createEgress, EgressModule, SCHEMA } from './egress.module.ts';

const config = configureProcess('egress', egressSettings);
const logger = createLogger('egress', config.logLevel);
startTelemetry('egress', config);

await runProcess('egress', logger, async () => {
  const database = createDatabase(config.databaseUrl);
  await database.$queryRaw`SELECT 1`;
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'egress',
  });
  await bus.ensureStreams(['EVENTS']);
  const relay = startOutboxRelay({ database, schema: SCHEMA, bus, logger });
  measureOutboxLag(() => relay.lagSeconds());
  const edge = createEgress({ ...config, database, relay, logger });
  const checks = { database: () => database.$queryRaw`SELECT 1`, nats: () => bus.ping() };
  const http = await createHttpApp(EgressModule.with({ checks }), { logger });
  const proxyPort = await new Promise<number>((resolve, reject) => {
    edge.server.once('error', reject);
    edge.server.listen(config.proxyPort, config.host, () => resolve((edge.server.address() as { port: number }).port));
  });
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  return {
    started: { proxy_port: proxyPort, http_port: httpPort },
    stop: async () => {
      await edge.stop();
      await http.close();
      await relay.stop();
      await bus.close();
      await database.$disconnect();
    },
  };
});
