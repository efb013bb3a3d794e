import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds after the start: who waited for it has been answered by then. */
const AFTER_MS = 2000

/**
 * Collects once what the start has left behind, compiled code that ran only then included. V8
 * would keep that room, about 30 MB, until it needs it, and an idle service never does. It takes
 * about a tenth of a second.
 */
export function collectStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (how: object) => void
    collect({ type: 'major', flavor: 'last-resort' })
    setFlagsFromString('--no-expose-gc')
  }, AFTER_MS).unref()
}
