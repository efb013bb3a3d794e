import { operations as items } from './routes/items.js'
import { operations as batches } from './routes/regression_batches.js'
import { operations as releaseItems } from './routes/release_items.js'

/** Checklist, approval and regression items. */
export const operations = [...items, ...releaseItems, ...batches]
