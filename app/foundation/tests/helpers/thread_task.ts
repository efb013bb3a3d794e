export type Task = 'answer' | 'throw' | 'spin' | 'hoard' | 'environment' | 'doze' | 'sleep'

/** Returns the entry point of the threads of `thread_pool.spec.ts`. */
export default function carryOut({ input }: { input: Task }): unknown {
  const hoard: number[][] = []
  switch (input) {
    case 'throw':
      throw new RangeError('As asked')
    case 'spin':
      for (;;);
    case 'hoard':
      for (;;) hoard.push(new Array<number>(100_000).fill(1.5))
    case 'doze':
      rest(400)
      return input
    case 'sleep':
      rest(60_000)
      return input
    case 'environment':
      return Object.keys(process.env)
    default:
      return input
  }
}

/** Blocks the thread without using processor time, like a thread that waits for a processor. */
function rest(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
