import { existsSync, readFileSync } from 'node:fs'

const COUNTERS = '/proc/self/io'

/** Whether this system counts what a process reads. */
export const countsReads = existsSync(COUNTERS)

/** How many bytes this process reads while work goes on, from files and connections. */
export async function bytesReadDuring(work: () => Promise<unknown>): Promise<number> {
  const before = bytesRead()
  await work()
  return bytesRead() - before
}

const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync(COUNTERS, 'utf8'))![1])
