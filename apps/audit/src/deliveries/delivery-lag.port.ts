/** How far destinations are behind; the worst of all that are not paused. */
export interface DeliveryLag {
  /** Signed entries the worst does not have. */
  readonly entries: number;
  /** Age of the oldest entry that somebody does not have and that tells of more than deliveries. */
  readonly seconds: number;
  readonly failingSeconds: number;
  readonly failing: number;
}
