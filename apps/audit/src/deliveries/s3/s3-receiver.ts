/** Deliveries as objects of a bucket of any server that speaks S3. Guarantees that the same entries are the same object, so that one that came twice is there once. */
import { createExchange, type WayOut } from '@bravo/chassis';
import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import type { Destination } from '../destination.port.ts';
import type { DestinationSecret } from '../read-destination.ts';
import { type HttpTiming, requireTaken } from '../receiver-answer.ts';
import type { Delivery, Receiver } from '../receiver.port.ts';
import { receiverTerms } from '../receiver-terms.ts';

const DIGITS = 12;

export const createS3Receiver = (
  way: WayOut,
  destination: Destination,
  secret: DestinationSecret,
  timing: HttpTiming = {},
): Receiver => {
  const exchange = createExchange(way, { ...receiverTerms(destination, secret), ...timing });
  return {
    async deliver(delivery, signal) {
      const body = delivery.lines.map(({ text }) => `${text}\n`).join('');
      const digest = createHash('sha256').update(body).digest();
      const signed = await new AwsV4Signer({
        method: 'PUT',
        url: `${destination.url.replace(/\/$/, '')}/${objectKey(delivery, destination.format)}`,
        accessKeyId: secret.access_key_id ?? '',
        secretAccessKey: secret.secret_access_key ?? '',
        ...(secret.session_token === undefined ? {} : { sessionToken: secret.session_token }),
        ...{ service: 's3', region: destination.region },
        headers: {
          'content-type': delivery.contentType,
          'x-amz-content-sha256': digest.toString('hex'),
          'x-amz-checksum-sha256': digest.toString('base64'),
        },
        body,
      }).sign();
      const headers = Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>);
      requireTaken(await exchange.send(signed.url, { method: 'PUT', headers, body }, signal));
    },
    close: () => exchange.close(),
  };
};

const padded = (index: number): string => String(index).padStart(DIGITS, '0');

/** `<workspace>/<first>-<last>.<format>`: sorted by name they are in order, and a hole shows. */
export const objectKey = ({ workspaceId, from, to }: Delivery, format: string): string =>
  `${encodeURIComponent(workspaceId)}/${padded(from)}-${padded(to - 1)}.${format}`;
