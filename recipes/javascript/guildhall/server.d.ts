/** A server for the tests of a file, and its control endpoints. */
export interface Guildhall {
  /** The URL, once the tests run: the base URL of a client. */
  readonly url: string;
  /** Puts the server back to its seed, as is done before each test. */
  reset(): Promise<void>;
  /** Moves the clock, by a duration such as `8d`. */
  advance(duration: string): Promise<void>;
  /** Replaces the faults; `guildhall dev --help` lists their keys. */
  fail(...faults: object[]): Promise<void>;
  /** The last requests to the API. */
  requests(): Promise<Record<string, unknown>[]>;
}

/** Starts a server before the tests of the file, with a seed, and stops it after them. */
export function guildhall(seed?: string): Guildhall;
