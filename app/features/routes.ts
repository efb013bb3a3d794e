import { operations as flags } from './routes/flags_and_notes.js'
import { operations as readiness } from './routes/feature_readiness.js'

export const operations = [...flags, ...readiness]
