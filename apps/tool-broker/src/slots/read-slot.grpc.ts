/** The bytes behind a reference, for the person of its conversation; an agent's principal is refused. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { createReadSlot } from './read-slot.ts';
import { toWireRef } from './to-wire-ref.grpc.ts';

export const readSlotHandler = (
  readSlot: ReturnType<typeof createReadSlot>,
): Pick<Handlers<typeof BrokerServiceService>, 'readSlot'> => ({
  readSlot: async ({ conversationId, number }, { principal }) => {
    const slot = await readSlot(personOf(principal), conversationId, number);
    return { slot: toWireRef(slot), content: Buffer.from(slot.content) };
  },
});
