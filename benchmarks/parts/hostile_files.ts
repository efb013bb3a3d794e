import { fixed } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

export interface Worst {
  /** Number of checked files. */
  files: number
  /** The most expensive file. */
  name: string
  cpuMs: number
}

/** Measures what the worst accepted configuration file costs the main thread. */
export async function measureHostileFiles(): Promise<Row[]> {
  const { files, name, cpuMs } = await Stand.use('sqlite', (stand) =>
    stand.program<Worst>('benchmarks/checking.ts')
  )
  return [
    {
      what: `main thread for the worst of ${files} hostile configuration files (${name})`,
      service: `${fixed(cpuMs)} ms`,
      aim: 'at most 100 ms',
    },
  ]
}
