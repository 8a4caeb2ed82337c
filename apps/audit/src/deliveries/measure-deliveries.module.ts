/** The metrics of deliveries: the worst of all destinations, because a name of a workspace is no label. */
import { measure } from '@bravo/chassis';
import type { DeliveryLag } from './delivery-lag.port.ts';

export const measureDeliveries = (lag: () => Promise<DeliveryLag>): void => {
  const worst = (name: string, help: string, of: keyof DeliveryLag): void =>
    measure(name, help, [], async () => [{ value: (await lag())[of] }]);
  worst(
    'bravo_audit_delivery_lag_entries',
    'Signed entries that the destination furthest behind does not have.',
    'entries',
  );
  worst('bravo_audit_delivery_lag_seconds', 'Age of the oldest entry that a destination does not have.', 'seconds');
  worst('bravo_audit_delivery_failing_seconds', 'How long the worst destination has taken nothing.', 'failingSeconds');
  worst('bravo_audit_deliveries_failing', 'Destinations whose last delivery was not taken.', 'failing');
};
