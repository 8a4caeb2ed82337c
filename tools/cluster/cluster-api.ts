/** The few calls setup makes to the API server, with its pod's own identity; it knows Secrets and nothing else. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface SecretDocument {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const call = (method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: process.env['KUBERNETES_SERVICE_HOST'],
        port: process.env['KUBERNETES_SERVICE_PORT'],
        method,
        path,
        ca: readFileSync(`${MOUNT}/ca.crt`),
        timeout: 20_000,
        headers: {
          authorization: `Bearer ${readFileSync(`${MOUNT}/token`, 'utf8')}`,
          ...(body && { 'content-type': type }),
        },
      },
      (answer) => {
        let said = '';
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => (said += text));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: said }));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('the API server did not answer within 20 s')));
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });

const refusal = (verb: string, name: string, { status, body }: Answer): Error => {
  let said = body;
  try {
    said = (JSON.parse(body) as { message?: string }).message ?? body;
  } catch {
    // What is no JSON is told as it came.
  }
  return new Error(`The API server refused to ${verb} the Secret ${name} (${status}): ${said.slice(0, 300)}`);
};

export const ownNamespace = (): string => readFileSync(`${MOUNT}/namespace`, 'utf8').trim();

/** @returns undefined when there is none. */
export const readSecret = async (namespace: string, name: string): Promise<Record<string, string> | undefined> => {
  const answer = await call('GET', `/api/v1/namespaces/${namespace}/secrets/${name}`);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw refusal('read', name, answer);
  const { data = {} } = JSON.parse(answer.body) as { data?: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
};

/** Makes the Secret or brings it to exactly these files. */
export const writeSecret = async (namespace: string, { name, labels, files }: SecretDocument): Promise<void> => {
  const document = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels },
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(files).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  };
  const made = await call('POST', `/api/v1/namespaces/${namespace}/secrets`, document);
  if (made.status === 201) return;
  if (made.status !== 409) throw refusal('make', name, made);
  const put = await call('PUT', `/api/v1/namespaces/${namespace}/secrets/${name}`, document);
  if (put.status !== 200) throw refusal('change', name, put);
};
