/** The life of a service process: start once, say so, drain on a signal, and end with a sentence when it cannot go on. */
import { ConfigError, EXIT_CONFIGURATION } from '@bravo/config';
import { type Logger } from './logger.ts';
import { stopTelemetry } from './telemetry.ts';

export interface Running {
  /** Ports and names for the "started" line. */
  readonly started: Readonly<Record<string, string | number>>;
  /** Stops taking work and lets the work in hand end. Called once. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 10_000;

export const runProcess = async (name: string, logger: Logger, start: () => Promise<Running>): Promise<void> => {
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'a promise was rejected and nobody looked; ending, so that nothing goes on half-done');
    process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error; ending');
    process.exit(1);
  });
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    logger.fatal({ err: error }, `${name} cannot start`);
    // Two settings that do not fit each other are seen only now; such a sentence says itself who cannot start.
    const misconfigured = error instanceof ConfigError;
    const sentence = error instanceof Error ? error.message : String(error);
    process.stderr.write(misconfigured ? `${sentence}\n` : `${name} cannot start: ${sentence}\n`);
    process.exit(misconfigured ? EXIT_CONFIGURATION : 1);
  }
  logger.info(running.started, `${name} started`);
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, `${name} stops`);
    const late = setTimeout(() => {
      logger.warn('stopping took too long; ending now');
      process.exit(1);
    }, STOP_LIMIT_MS);
    running
      .stop()
      .finally(stopTelemetry)
      .then(
        () => {
          clearTimeout(late);
          process.exit(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
};
