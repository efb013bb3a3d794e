// Loaded by a bare thread, which resolves no aliases.
import { readFileSync } from 'node:fs'

/** Hangs, exhausts the memory or exits, if the file says so; otherwise returns its content. */
export default function read({ input }: { input: string }): unknown {
  const command = readFileSync(input, 'latin1')
  const hoard: number[][] = []
  while (command === 'hang');
  while (command === 'hoard') hoard.push(new Array<number>(100_000).fill(1.5))
  if (command === 'exit') process.exit(1)
  return { isRead: false, reason: command }
}
