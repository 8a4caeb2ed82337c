/** Says what is switched off here and why, in the server's words. */
import { Notice } from '../ui/notice.tsx';
import type { Availability } from './use-availability.ts';

export function AvailabilityNotices({ availability }: { availability: Availability }) {
  if (availability.off === '' && availability.noPrograms === '' && availability.warnings.length === 0) return null;
  return (
    <div className="space-y-2" data-testid="availability">
      {availability.off !== '' && <Notice>{availability.off}</Notice>}
      {availability.noPrograms !== '' && (
        <Notice tone="ask">Programs cannot be run here. {availability.noPrograms}</Notice>
      )}
      {availability.warnings.map((warning) => (
        <Notice key={warning} tone="ask">
          {warning}
        </Notice>
      ))}
    </div>
  );
}
