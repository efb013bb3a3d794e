import { operations as buckets } from './routes/buckets.js'
import { operations as builds } from './routes/builds.js'

export const operations = [...buckets, ...builds]
