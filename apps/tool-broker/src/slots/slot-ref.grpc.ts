/** References as the gRPC contract spells them. */
import type { SlotRef as WireRef } from '@bravo/proto/broker';
import type { SlotRef } from './slot.ts';

export const toWireRef = ({ number, origin, name, kind, lines, bytes, label }: SlotRef): WireRef => ({
  number,
  origin,
  name,
  kind,
  lines,
  bytes,
  label: { ...label },
});
