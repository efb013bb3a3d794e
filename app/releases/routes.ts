import { operations as links } from './links/link_routes.js'
import { operations as parts } from './routes/parts.js'
import { operations as releases } from './routes/releases.js'
import { operations as stepDecisions } from './routes/step_decisions.js'
import { operations as table } from './table/table_routes.js'

/** Releases, and what hangs on them. */
export const operations = [...releases, ...parts, ...stepDecisions, ...links, ...table]
