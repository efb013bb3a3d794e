import { operations as parts } from './routes/parts.js'
import { operations as releases } from './routes/releases.js'

/** Releases, and what hangs on them. */
export const operations = [...releases, ...parts]
