/**
 * The `event` of the log lines that alarms and graphs are made of when there is no scraper of `/metrics`, as on Lambda.
 * They are an interface: other names, or other fields of these lines, need other alarms (docs/operations.md).
 */
export const LOG_EVENTS = {
  /** A stream change is a dead letter. */
  setAside: 'set_aside',
  /** A timer was given up. */
  timerFailed: 'timer_failed',
  /** A delivery has ended as FAILED. `channel`: the `DeliveryChannel`. */
  deliveryFailed: 'delivery_failed',
  /**
   * A call of the timers function has ended. `active`: whether it handled them. `overdueMs`: how late the oldest one
   * is.
   */
  timers: 'timers',
  /**
   * A server's load, once a minute. `sockets`, `subscriptions`: open ones. `messages`: how many reached their first
   * reader on it since the last line. `lateMessages`: those that took more than 2.5 s.
   */
  load: 'load',
  /**
   * Jobs, once a minute while there are any, by the process that handles the timers. `stopped`: how many have failed or
   * are paused. `oldestMs`: how long the oldest one has been open; absent if none is.
   */
  jobs: 'jobs',
} as const;
