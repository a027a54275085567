/** The state of a process that serves. While it stops, it serves requests, and asks callers to connect elsewhere. */
export interface Lifecycle {
  isStopping: boolean;
}
