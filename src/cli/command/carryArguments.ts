/** The flags of the commands for another table, as they were given. */
export interface CarryArguments {
  readonly table: string | undefined;
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
  readonly create: boolean;
  /** How the new table names its keys. */
  readonly keys: string | undefined;
  readonly rate: number | undefined;
  readonly metricsPort: number | undefined;
  /** Whether everything in the stream is handled. */
  readonly handled: boolean;
  /** How long servers may be without a table, in milliseconds. */
  readonly within: number | undefined;
  /** Whether no function uses the table any more. */
  readonly functionsRemoved: boolean;
  /** Whether nothing is carried back after a switch or hand-over. */
  readonly noWayBack: boolean;
}
