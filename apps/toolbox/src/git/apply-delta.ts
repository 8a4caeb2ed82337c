/** A delta of a pack applied to its base; it reads and writes within both, whatever the delta says. */
import { Fault } from '@bravo/faults';

const broken = (): Fault => new Fault('conflict', 'The repository is damaged: a delta does not fit its base.');

const readSize = (delta: Buffer, from: number): [size: number, next: number] => {
  let [size, scale, at] = [0, 1, from];
  for (;;) {
    const byte = delta[at++];
    if (byte === undefined || scale > 2 ** 42) throw broken();
    size += (byte & 0x7f) * scale;
    if (!(byte & 0x80)) return [size, at];
    scale *= 128;
  }
};

export const sizesOfDelta = (
  delta: Buffer,
): { readonly base: number; readonly result: number; readonly at: number } => {
  const [base, next] = readSize(delta, 0);
  const [result, at] = readSize(delta, next);
  return { base, result, at };
};

/** @throws Fault conflict */
export const applyDelta = (base: Buffer, delta: Buffer, most: number): Buffer => {
  const sizes = sizesOfDelta(delta);
  if (sizes.base !== base.length || sizes.result > most) throw broken();
  const result = Buffer.alloc(sizes.result);
  let { at } = sizes;
  let to = 0;
  while (at < delta.length) {
    const code = delta[at++] ?? 0;
    if (code === 0) throw broken();
    if (!(code & 0x80)) {
      if (at + code > delta.length || to + code > result.length) throw broken();
      to += delta.copy(result, to, at, at + code);
      at += code;
      continue;
    }
    let [offset, length] = [0, 0];
    for (let bit = 0; bit < 4; bit += 1) if (code & (1 << bit)) offset += (delta[at++] ?? 0) * 256 ** bit;
    for (let bit = 0; bit < 3; bit += 1) if (code & (16 << bit)) length += (delta[at++] ?? 0) * 256 ** bit;
    if (length === 0) length = 0x10000;
    if (at > delta.length || offset + length > base.length || to + length > result.length) throw broken();
    to += base.copy(result, to, offset, offset + length);
  }
  if (to !== result.length) throw broken();
  return result;
};
