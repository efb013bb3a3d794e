import { USUAL_CI, type SimulatedCi } from '../core/ci.js'

/** A file that a scenario gives a run in place of what it would make. */
export interface GivenFile {
  id: string
  runId: string
  name: string
  content: string
  isExpired: boolean
}

/** All there is of one organization's world, as plain data. */
export interface World {
  seed: string
  /** What the files of its builds say they are. */
  app: { bundleId: string; name: string }
  ci: SimulatedCi
  files: readonly GivenFile[]
}

export function newWorld(seed: string): World {
  return {
    seed,
    app: { bundleId: 'com.example.app', name: 'Example' },
    ci: USUAL_CI,
    files: [],
  }
}
