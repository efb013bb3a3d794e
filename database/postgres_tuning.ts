import pg from 'pg'
import { processName } from '#start/process_name'

const INT8 = 20

/** The server refuses a longer wait for a lock, in milliseconds. */
export const LOCK_MS = 10_000

/**
 * A statement that is not answered by then never will be: the connection is given up. Longer
 * than any wait for a lock.
 */
export const ANSWER_MS = 12_000

/** A connection that is not made by then is not made. */
export const CONNECT_MS = 5000

/**
 * A transaction in which nothing is asked for so long belongs to a process that hangs. The
 * server ends it, so that its locks keep nobody else waiting.
 */
export const IDLE_MS = 15_000

/** Settings that the driver knows and Lucid's types do not; those of the address have the last word. */
export const driverSettings = {
  application_name: processName,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_MS,
  query_timeout: ANSWER_MS,
  connectionTimeoutMillis: CONNECT_MS,
  // Statements are sent without waiting for the answers of those before them.
  pipeline: true,
}

/** Reads `bigint` as a number: every one of ours (counts, sequences) stays under 2^53. */
export function readBigintsAsNumbers(): void {
  pg.types.setTypeParser(INT8, Number)
}

let patient = 0

/** Lets statements take as long as they need while some work runs: migrations, never requests. */
export async function withPatience<Result>(work: () => Promise<Result>): Promise<Result> {
  patient += 1
  try {
    return await work()
  } finally {
    patient -= 1
  }
}

/** A connection as its driver keeps it. */
interface Tuned {
  connectionParameters: { query_timeout: number | string }
}

/** Prepares a fresh connection: how long its statements may take is asked at each of them. */
export function tunePostgres(
  connection: pg.Client,
  done: (error: Error | null, connection: pg.Client) => void
): void {
  const { connectionParameters } = connection as unknown as Tuned
  const most = Number(connectionParameters.query_timeout)
  Object.defineProperty(connectionParameters, 'query_timeout', {
    get: () => (patient > 0 ? 0 : most),
  })
  done(null, connection)
}
