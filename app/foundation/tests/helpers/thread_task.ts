export type Task = 'answer' | 'throw' | 'spin' | 'hoard' | 'environment'

/** What the threads of `thread_pool.spec.ts` run. */
export default function carryOut({ input }: { input: Task }): unknown {
  const hoard: number[][] = []
  switch (input) {
    case 'throw':
      throw new RangeError('As asked')
    case 'spin':
      for (;;);
    case 'hoard':
      for (;;) hoard.push(new Array<number>(100_000).fill(1.5))
    case 'environment':
      return Object.keys(process.env)
    default:
      return input
  }
}
