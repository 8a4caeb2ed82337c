/** Furnishes cells, some ahead of need, and removes used ones in the background; a range of ids is given on only once its cell is gone. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from '../sandbox-backend.port.ts';
import { groupLimits } from './bundle-config.ts';
import { Cell, type CellSite } from './cell.ts';
import { IdRanges } from './id-ranges.ts';

export interface SupplySettings {
  readonly site: CellSite;
  /** Cells kept furnished ahead of need. */
  readonly spare: number;
  /** Limits of a cell that waits; what is asked for is set when it is taken. */
  readonly limits: Limits;
  /** Told of a cell that could not be removed; it is tried again at the end and by the next runner. */
  readonly onTrouble: (error: unknown) => void;
}

/** Starts that are under way should not share the processor with furniture, the next ones' or their own that is done with. */
const QUIET_MS = 100;
/** Where it is never quiet, what is behind it goes on all the same. */
const LONGEST_WAIT_MS = 1_000;
const REFILL_AGAIN_AFTER_MS = 2_000;

export class CellSupply {
  readonly #settings: SupplySettings;
  readonly #ranges = new IdRanges();
  readonly #rangeOf = new Map<Cell, number>();
  readonly #removing = new Set<Promise<void>>();
  #spare: Cell[] = [];
  #refilling: Promise<void> | undefined;
  #closed = false;
  #takenAt = 0;

  constructor(settings: SupplySettings) {
    this.#settings = settings;
  }

  get waiting(): readonly Cell[] {
    return this.#spare;
  }

  /** A furnished cell with these limits in force. */
  async take(limits: Limits): Promise<Cell> {
    this.#takenAt = Date.now();
    for (let cell = this.#spare.shift(); cell !== undefined; cell = this.#spare.shift()) {
      this.#refillSoon();
      if (!cell.runtime.isAlive()) {
        this.dispose(cell);
        continue;
      }
      try {
        await cell.leaf.limit(groupLimits(limits));
        return cell;
      } catch {
        this.dispose(cell);
      }
    }
    this.#refillSoon();
    return this.#furnish(limits);
  }

  /** As `take`, and its runtime sees every mount there is now: where some must be hidden, a waiting one sees those of its own beginning. */
  takeSeeing(limits: Limits): Promise<Cell> {
    return this.#settings.site.hidden.length === 0 ? this.take(limits) : this.#furnish(limits);
  }

  /** Returns at once. */
  dispose(cell: Cell): void {
    const removal = this.#remove(cell);
    this.#removing.add(removal);
    void removal.finally(() => this.#removing.delete(removal));
  }

  /** Resolves when no removal and no refill is under way. */
  async settled(): Promise<void> {
    while (this.#removing.size > 0 || this.#refilling !== undefined) {
      await Promise.all([...this.#removing, this.#refilling]);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#refilling;
    for (const cell of this.#spare.splice(0)) this.dispose(cell);
    await this.settled();
  }

  /** Furnishes what is missing ahead of need. */
  fill(): Promise<void> {
    this.#refillSoon();
    return this.#refilling ?? Promise.resolve();
  }

  async #furnish(limits: Limits): Promise<Cell> {
    const range = await this.#ranges.take();
    try {
      const cell = await Cell.furnish(this.#settings.site, range, limits);
      this.#rangeOf.set(cell, range);
      return cell;
    } catch (error) {
      this.#ranges.giveBack(range);
      throw error;
    }
  }

  async #remove(cell: Cell): Promise<void> {
    await this.#whenQuiet();
    try {
      await cell.remove().catch(() => delay(200).then(() => cell.remove()));
      const range = this.#rangeOf.get(cell);
      this.#rangeOf.delete(cell);
      if (range !== undefined) this.#ranges.giveBack(range);
    } catch (error) {
      this.#settings.onTrouble(error);
    }
  }

  #refillSoon(): void {
    if (this.#refilling !== undefined || this.#closed || this.#settings.spare === 0) return;
    this.#refilling = this.#refill().finally(() => (this.#refilling = undefined));
  }

  /** Once nothing was taken for a moment. */
  async #whenQuiet(): Promise<void> {
    for (const until = Date.now() + LONGEST_WAIT_MS; !this.#closed && Date.now() < until;) {
      const left = this.#takenAt + QUIET_MS - Date.now();
      if (left <= 0) return;
      await delay(left);
    }
  }

  async #refill(): Promise<void> {
    for (;;) {
      await this.#whenQuiet();
      if (this.#closed || this.#spare.length >= this.#settings.spare || this.#ranges.free === 0) return;
      try {
        this.#spare.push(await this.#furnish(this.#settings.limits));
      } catch (error) {
        // A run that needs one will say what is wrong; here it is only ahead of need.
        this.#settings.onTrouble(error);
        await delay(REFILL_AGAIN_AFTER_MS, undefined, { ref: false });
        return;
      }
    }
  }
}
