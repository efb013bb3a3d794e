import { operations as fixRequests } from './routes/fix_requests.js'
import { operations as triage } from './routes/triage.js'

export const operations = [...fixRequests, ...triage]
