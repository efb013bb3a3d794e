import { existsSync, readFileSync } from 'node:fs'

const COUNTERS = '/proc/self/io'

/** True if this system counts the bytes a process reads. */
export const countsReads = existsSync(COUNTERS)

/** Returns the bytes this process reads during some work, from files and connections. */
export async function bytesReadDuring(work: () => Promise<unknown>): Promise<number> {
  const before = bytesRead()
  await work()
  return bytesRead() - before
}

const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync(COUNTERS, 'utf8'))![1])
