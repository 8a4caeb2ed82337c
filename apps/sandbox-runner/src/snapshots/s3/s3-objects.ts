/** Objects in a bucket of any server that speaks S3: requests signed, answers bounded, a failure told and never taken for "not there". */
import { AwsClient } from 'aws4fetch';
import { checkKey, type ObjectStore } from '../object-store.port.ts';

export interface S3Settings {
  /** Base URL of the server, with the bucket as its path: `https://s3.example.com/bucket`. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const NO_BUCKET = 'the bucket of the object store does not exist';
const PATIENCE_MS = 20_000;
const PAGE = /<Key>([^<]*)<\/Key>/g;
const NEXT = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const unescape = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity);

export const openS3Objects = ({ bucketUrl, region, accessKeyId, secretAccessKey }: S3Settings): ObjectStore => {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 });
  const base = bucketUrl.replace(/\/$/, '');
  const send = async (method: string, address: string, body?: Uint8Array): Promise<Response> => {
    const response = await client.fetch(address, {
      method,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`the object store answered ${response.status} to ${method}`);
  };
  const of = (key: string): string => `${base}/${checkKey(key)}`;
  const drop = async (response: Response): Promise<void> => response.body?.cancel();
  return {
    put: async (key, content) => {
      const response = await send('PUT', of(key), content);
      await drop(response);
      if (!response.ok) throw new Error(NO_BUCKET);
    },
    get: async (key) => {
      const response = await send('GET', of(key));
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      // A bucket that is gone is no empty one.
      if (!/<Code>NoSuchKey<\/Code>/.test(await response.text())) throw new Error(NO_BUCKET);
      return undefined;
    },
    list: async (prefix) => {
      const keys: string[] = [];
      const wanted = `${checkKey(prefix.replace(/\/$/, ''))}/`;
      for (let token = ''; ;) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: wanted,
          ...(token === '' ? {} : { 'continuation-token': token }),
        });
        const response = await send('GET', `${base}?${query.toString()}`);
        const page = await response.text();
        if (!response.ok) throw new Error(NO_BUCKET);
        for (const [, key = ''] of page.matchAll(PAGE)) keys.push(unescape(key));
        token = unescape(NEXT.exec(page)?.[1] ?? '');
        if (token === '') return keys;
      }
    },
    remove: async (key) => drop(await send('DELETE', of(key))),
  };
};
