/** How much one run takes before it goes on in a new one. Temporal ends a run that took 2,000 updates or 10,000 signals. */
export interface RunLimits {
  /** (Default: 500) */
  updates?: number;
  /** (Default: 2,000) */
  signals?: number;
}
