/** A witness (C2SP tlog-witness): it signs a checkpoint only after a proof that nothing it saw before was changed. Guarantees that a cosignature counts only under the key the operator named. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { PLATFORM_WORKSPACE } from '@bravo/events';
import type { CheckpointSink, PostText, PublishedCheckpoint } from './checkpoint-sink.port.ts';

const COSIGNATURE_V1 = 0x04;
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

export interface Witness {
  /** Where `/add-checkpoint` is. */
  readonly url: string;
  /** `<name>+<key id>+<base64 of 0x04 and the public key>` */
  readonly verifierKey: string;
}

/** Hashes from the older size to the newer one, as RFC 6962 has them. */
export type ProveConsistency = (workspaceId: string, older: number, newer: number) => Promise<readonly Uint8Array[]>;

/** "URL KEY", as the operator writes it. @throws Error saying what is wrong with it. */
export const readWitness = (text: string): Witness => {
  const [url = '', verifierKey = ''] = text.trim().split(/\s+/);
  if (!URL.canParse(url)) throw new Error(`"${url}" is not the address of a witness`);
  readVerifierKey(verifierKey);
  return { url, verifierKey };
};

export const createWitness = (
  { url, verifierKey }: Witness,
  prove: ProveConsistency,
  post: PostText,
): CheckpointSink => {
  const verifier = readVerifierKey(verifierKey);
  const ask = async (checkpoint: PublishedCheckpoint, older: number): ReturnType<PostText> => {
    const proof = older === 0 ? [] : await prove(checkpoint.workspaceId, older, checkpoint.size);
    const lines = [`old ${older}`, ...proof.map((hash) => Buffer.from(hash).toString('base64'))];
    return post(`${url.replace(/\/$/, '')}/add-checkpoint`, `${lines.join('\n')}\n\n${checkpoint.note}`);
  };
  return {
    name: `witness:${verifier.name}`.slice(0, 200),
    echoesIn: PLATFORM_WORKSPACE,
    async publish(checkpoint, before) {
      let response = await ask(checkpoint, before);
      if (response.status === 409) {
        // It knows another size than we remember; a size above ours would be a log that was cut.
        const known = Number(response.text.trim());
        if (!Number.isSafeInteger(known) || known < 0 || known > checkpoint.size)
          throw new Error(`the witness ${verifier.name} has seen ${known} entries, and the log has ${checkpoint.size}`);
        response = await ask(checkpoint, known);
      }
      const { status, text: answer } = response;
      if (status < 200 || status >= 300) throw new Error(`the witness ${verifier.name} answered ${status}`);
      const lines = answer.split('\n').filter((line) => verifier.signed(line, checkpoint.note));
      if (lines.length === 0) throw new Error(`the witness ${verifier.name} sent no signature of its own`);
      return lines.map((line) => `${line}\n`).join('');
    },
  };
};

const readVerifierKey = (text: string) => {
  const [name = '', id = '', encoded = ''] = splitKey(text);
  const typed = Buffer.from(encoded, 'base64');
  const digest = createHash('sha256').update(`${name}\n`).update(typed).digest('hex');
  if (typed.length !== 33 || typed[0] !== COSIGNATURE_V1 || digest.slice(0, 8) !== id)
    throw new Error(`"${text}" is not the verifier key of a witness (name+id+key of type 4)`);
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, typed.subarray(1)]), format: 'der', type: 'spki' });
  return {
    name,
    signed(line: string, note: string): boolean {
      const [dash, signer, encodedSignature = ''] = line.split(' ');
      const bytes = Buffer.from(encodedSignature, 'base64');
      if (dash !== '—' || signer !== name || bytes.length !== 4 + 8 + 64) return false;
      if (bytes.subarray(0, 4).toString('hex') !== id) return false;
      const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
      const signed = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`;
      return verify(null, Buffer.from(signed), key, bytes.subarray(12));
    },
  };
};

/** Base64 may hold a plus, a name may not. */
const splitKey = (text: string): readonly string[] => /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text)?.slice(1) ?? [];
