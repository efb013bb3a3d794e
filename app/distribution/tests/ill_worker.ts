// Loaded by a bare thread, where only the real file name resolves.
import { readFileSync } from 'node:fs'

/** A thread that dies of some files, hangs over others, and reads the rest. */
export default function read({ input }: { input: string }): unknown {
  const command = readFileSync(input, 'latin1')
  const hoard: number[][] = []
  while (command === 'hang');
  while (command === 'hoard') hoard.push(new Array<number>(100_000).fill(1.5))
  if (command === 'exit') process.exit(1)
  return { isRead: false, reason: command }
}
