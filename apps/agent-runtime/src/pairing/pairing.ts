/**
 * Who may speak to this process: holders of preset tokens, or the one that shows the pairing code while there are none.
 *
 * Only hashes are kept, a code is good once, and a token that could not be written down is not given out.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { isPaired } from '../access/check-bearer.ts';

export class Pairing {
  readonly #hashes: string[];
  #code: string | undefined;

  constructor(
    hashes: readonly string[],
    /** Writes the hash of a new token where the next start finds it; throws when it cannot. */
    private readonly persist: (hashes: readonly string[]) => void,
    /** False in a pod of the platform, which is given its token: with none, nobody gets in, and no code is made. */
    mayPair = true,
  ) {
    this.#hashes = [...hashes];
    this.#code = hashes.length === 0 && mayPair ? String(randomInt(0, 1_000_000)).padStart(6, '0') : undefined;
  }

  get paired(): boolean {
    return this.#hashes.length > 0;
  }

  /** Undefined once there is a token. */
  get code(): string | undefined {
    return this.#code;
  }

  admits(token: string | undefined): boolean {
    return isPaired(token, this.#hashes);
  }

  /** @returns a new token for a right code, undefined for a wrong one. @throws when it could not be written down; the code stays good. */
  pair(code: string): string | undefined {
    if (this.#code === undefined || !/^\d{6}$/.test(code)) return undefined;
    if (!timingSafeEqual(Buffer.from(code), Buffer.from(this.#code))) return undefined;
    const token = `zc_${randomBytes(32).toString('hex')}`;
    const hash = createHash('sha256').update(token).digest('hex');
    this.persist([...this.#hashes, hash]);
    this.#hashes.push(hash);
    this.#code = undefined;
    return token;
  }
}
