/** How much one run takes before it continues in a new run. Temporal ends a run that took 2,000 updates or 10,000 signals. */
export interface RunLimits {
  /** (Default: 500) */
  updates?: number;
  /** (Default: 2,000) */
  signals?: number;
}
