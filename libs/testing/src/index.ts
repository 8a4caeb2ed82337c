export { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';
export { startTestNameServer, type TestNameServer, type Answers } from './start-test-name-server.ts';
export { startTestNats, type TestNats } from './start-test-nats.ts';
export { startTethered, type TetheredProcess } from './tethered-process.ts';
export { waitUntil } from './wait-until.ts';
export { startPlatform } from './start-platform.ts';
export type { Platform, PlatformOptions } from './platform.ts';
