/** How a connection to a model server comes about; who gives it has decided for whom and for which provider. */
import type { Tunnel } from '@bravo/chassis';

export interface ModelServer {
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether TLS is spoken with it. */
  readonly secure: boolean;
}

export interface SocketTerms {
  /** `operator`: the operator named it, so it may be private. */
  readonly reach: 'public' | 'operator';
  readonly connectMs: number;
}

/** @throws EgressRefused, or what TLS said. */
export type OpenSocket = (to: ModelServer, terms: SocketTerms) => Promise<Tunnel>;

/** For a provider of a workspace: no tunnel carries the traffic of two. */
export type OpenSocketFor = (workspaceId: string, providerId: string) => OpenSocket;
