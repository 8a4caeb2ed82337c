/**
 * The W3C trace context a chat came with, for every request that is made on its behalf. It is passed on as it came, so
 * that broker and model gateway find their spans under the orchestrator's; the pod itself tells of no span.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string | undefined>();
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Anything but a well-formed header counts as none: what a client sends must not become another header. */
export const withTraceparent = <T>(header: unknown, work: () => T): T =>
  storage.run(typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined, work);

export const currentTraceparent = (): string | undefined => storage.getStore();
