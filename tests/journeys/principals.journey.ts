/** Every gRPC method of every running service refuses a principal that is missing, expired, meant for another, or from the wrong issuer. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { AuditServiceService } from '@bravo/proto/audit';
import { BrokerServiceService } from '@bravo/proto/broker';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { importJWK, type JWK, SignJWT } from 'jose';
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform();

const SERVICES = {
  identity: [IdentityServiceService],
  orchestrator: [OrchestratorServiceService],
  broker: [BrokerServiceService],
  sandbox: [SandboxServiceService, WorkspaceServiceService],
  models: [ModelsServiceService],
  audit: [AuditServiceService],
} as const;

interface Method {
  readonly path: string;
  readonly responseStream: boolean;
}

const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;

const tokenOf = async (signKey: string, issuer: string, audience: string, expires: number): Promise<string> => {
  const jwk = JSON.parse(readFileSync(path.join(stage.platform.home, 'keys', `${signKey}.jwk.json`), 'utf8')) as JWK;
  return new SignJWT({ ws: 'ws_1', perms: [], role: 'owner' })
    .setProtectedHeader({ alg: 'ES256', kid: issuer })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject('usr_1')
    .setIssuedAt(expires - 60)
    .setExpirationTime(expires)
    .sign(await importJWK(jwk, 'ES256'));
};

const statusOf = (client: Client, method: Method, token: string | undefined): Promise<number> => {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const empty = () => Buffer.alloc(0);
  const raw = (bytes: Buffer) => bytes;
  return new Promise((resolve) => {
    if (method.responseStream) {
      const call = client.makeServerStreamRequest(method.path, empty, raw, {}, metadata);
      call.on('data', () => undefined);
      call.on('error', (error) => resolve((error as { code?: number }).code ?? -1));
      call.on('end', () => resolve(0));
    } else {
      client.makeUnaryRequest(method.path, empty, raw, {}, metadata, (error) => resolve(error?.code ?? 0));
    }
  });
};

describe('the internal principal', () => {
  it('is asked of every method of every service [tenancy.principal]', async () => {
    const now = Math.floor(Date.now() / 1000);
    const wrong: string[] = [];
    let methods = 0;
    for (const [audience, definitions] of Object.entries(SERVICES)) {
      const client = new Client(stage.platform.grpcAddresses[audience] ?? '', credentials.createInsecure());
      // A service calls no method of its own, so its own name is never an issuer in its table.
      const attempts: readonly [string, string | undefined, number][] = [
        ['no principal', undefined, UNAUTHENTICATED],
        ['nonsense', 'eyJhbGciOiJub25lIn0.e30.', UNAUTHENTICATED],
        ['expired', await tokenOf('gateway', 'gateway', audience, now - 120), UNAUTHENTICATED],
        ['meant for another service', await tokenOf('gateway', 'gateway', audience === 'audit' ? 'broker' : 'audit', now + 60), UNAUTHENTICATED],
        ['a stolen key that speaks as another', await tokenOf('audit', audience === 'identity' ? 'broker' : 'gateway', audience, now + 60), UNAUTHENTICATED],
        ['an issuer the table does not name', await tokenOf(audience, audience, audience, now + 60), PERMISSION_DENIED],
      ];
      for (const method of definitions.flatMap((definition) => Object.values(definition) as Method[])) {
        methods += 1;
        for (const [what, token, expected] of attempts) {
          const status = await statusOf(client, method, token);
          if (status !== expected) wrong.push(`${method.path} with ${what}: ${status}, not ${expected}`);
        }
      }
      client.close();
    }
    expect(wrong).toEqual([]);
    expect(methods).toBeGreaterThan(40);
  });
});

describe('the state directory', () => {
  it('can be entered by its owner only [operator.state]', () => {
    expect(statSync(stage.platform.home).mode & 0o777).toBe(0o700);
    for (const file of ['secrets.json', 'keys/services.jwks.json', 'keys/gateway.jwk.json', 'keys/audit-signing.pem', 'keys/sealing.key']) {
      expect(statSync(path.join(stage.platform.home, file)).mode & 0o777).toBe(0o600);
    }
  });
});

describe('a pod', () => {
  it('can sign in as nobody: the gateway takes no connection from its user [approval.people-only]', async () => {
    const [pid] = await stage.platform.podPids();
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    if (uid === '0' || process.getuid?.() !== 0) return;
    const { port } = new URL(stage.platform.gatewayUrl);
    const lines = ['POST /api/v1/sign-in HTTP/1.0', 'content-type: application/json', 'content-length: 16', '', '{"name":"alice"}'];
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf '%s' '${lines.join('\r\n')}' >&3 && head -n 1 <&3`;
    const as = async (user: string): Promise<string> => {
      const options = { uid: Number(user), gid: Number(user), cwd: '/', timeout: 5_000 };
      return (await promisify(execFile)('/bin/bash', ['-c', ask], options).catch((error: { stdout: string }) => error)).stdout;
    };
    expect(await as(uid)).toBe('');
    expect(await as('65534')).toMatch(/^HTTP\/1\.1 20\d /);
  });

  it('runs under a user of its own with an environment that holds no secret [pod.clean]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    await (await alice.say(conversation, 'what can you do?')).terminal();
    const secrets = JSON.stringify(JSON.parse(readFileSync(path.join(platform.home, 'secrets.json'), 'utf8'))).match(/[0-9a-f]{48}/g) ?? [];
    const pids = await platform.podPids();
    expect(pids.length).toBeGreaterThan(0);
    const uids = pids.map((pid) => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    expect(new Set(uids).size).toBe(uids.length);
    for (const [index, pid] of pids.entries()) {
      if (process.getuid?.() === 0) expect(uids[index]).not.toBe('0');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environment).not.toMatch(/bwt_|postgres|PASSWORD|nats:/i);
      for (const secret of secrets) expect(environment).not.toContain(secret);
    }
  });
});
