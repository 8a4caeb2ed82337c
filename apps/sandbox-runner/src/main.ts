/** Starts sandbox-runner: gRPC for the broker and the operator, HTTP for health. Programs need `launch.ts`; files do not. */
import 'reflect-metadata';
import {
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalVerifier,
  HealthModule,
  listenHttp,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { configureProcess, sandboxRunnerSettings } from '@bravo/config';
import { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { SANDBOX_ACCESS, WORKSPACE_ACCESS } from './access/access.grpc.ts';
import { createDatabase } from './executions/executions.prisma.ts';
import { createSandboxRunner } from './sandbox-runner.module.ts';

const DRAIN_MS = 5_000;
const FORGET_EVERY_MS = 3_600_000;

const config = configureProcess('sandbox-runner', sandboxRunnerSettings);
const logger = createLogger('sandbox-runner', config.logLevel);
startTelemetry('sandbox-runner', config);

await runProcess('sandbox-runner', logger, async () => {
  const database = createDatabase(config.databaseUrl);
  const runner = await createSandboxRunner({
    ...config,
    warm: { python: config.warmPython, node: config.warmNode, bash: config.warmBash },
    database,
    s3: {
      bucketUrl: config.s3BucketUrl,
      region: config.s3Region,
      accessKeyId: config.s3AccessKeyId,
      secretAccessKey: config.s3SecretAccessKey,
    },
    production: config.env === 'production',
    log: (message, about) => logger.warn(about, message),
    onTrouble: (error) => logger.warn({ err: error }, 'a place for programs could not be made or removed'),
  });
  if (runner.abandoned > 0)
    logger.warn({ executions: runner.abandoned }, 'begun by an earlier process; their end is unknown');
  const obstacle = await runner.obstacle();
  if (obstacle !== '') logger.warn({ reason: obstacle }, 'programs cannot be run here and are refused');
  const forget = setInterval(() => {
    runner
      .forgetOldResults()
      .catch((error: unknown) => logger.error({ err: error }, 'old results could not be dropped'));
  }, FORGET_EVERY_MS);

  const verifier = createPrincipalVerifier('sandbox', config.serviceKeysFile);
  const grpc = createGrpcServer({ service: 'sandbox', verifier, logger });
  grpc.addService(SandboxServiceService, runner.sandbox, SANDBOX_ACCESS);
  grpc.addService(WorkspaceServiceService, runner.workspaces, WORKSPACE_ACCESS);
  const http = await createHttpApp(HealthModule.with({ checks: { database: () => database.$queryRaw`SELECT 1` } }), {
    logger,
  });
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  return {
    started: { grpc_port: grpcPort, http_port: httpPort },
    stop: async () => {
      clearInterval(forget);
      grpc.setServing(false);
      // Running programs end first, so that their callers get a result and not a cut stream.
      await runner.close();
      await grpc.drain(DRAIN_MS);
      await http.close();
      await database.$disconnect();
    },
  };
});
