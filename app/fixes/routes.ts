import { operations as triage } from './routes/triage.js'

export const operations = [...triage]
