/** Counts attempts by address in a minute, and locks an address out after too many failures; it keeps no more addresses than a pod can meet. */

export interface AttemptLimitOptions {
  /** Attempts of one address within a minute. */
  readonly perMinute: number;
  /** Failures of one address that lock it out. */
  readonly failures: number;
  readonly lockoutMs: number;
}
interface Address {
  attempts: number[];
  failed: number;
  lockedUntil: number;
}
const MINUTE = 60_000;
const MAX_ADDRESSES = 1_000;

export class AttemptLimit {
  readonly #addresses = new Map<string, Address>();

  constructor(
    private readonly options: AttemptLimitOptions,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one attempt. @returns seconds to wait, or 0 when it may be made. */
  attempt(address: string): number {
    const entry = this.#of(address);
    const at = this.now();
    const locked = this.lockedFor(address);
    if (locked > 0) return locked;
    entry.attempts = entry.attempts.filter((time) => at - time < MINUTE);
    if (entry.attempts.length >= this.options.perMinute)
      return Math.ceil(((entry.attempts[0] ?? at) + MINUTE - at) / 1_000);
    entry.attempts.push(at);
    return 0;
  }

  /** Seconds for which the address is locked out. */
  lockedFor(address: string): number {
    return Math.max(0, Math.ceil(((this.#addresses.get(address)?.lockedUntil ?? 0) - this.now()) / 1_000));
  }

  fail(address: string): void {
    const entry = this.#of(address);
    entry.failed += 1;
    if (entry.failed < this.options.failures) return;
    entry.failed = 0;
    entry.lockedUntil = this.now() + this.options.lockoutMs;
  }

  succeed(address: string): void {
    this.#of(address).failed = 0;
  }

  #of(address: string): Address {
    const entry = this.#addresses.get(address) ?? { attempts: [], failed: 0, lockedUntil: 0 };
    // The newest stay: a flood of addresses cannot fill the pod.
    this.#addresses.delete(address);
    this.#addresses.set(address, entry);
    if (this.#addresses.size > MAX_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value ?? '');
    return entry;
  }
}
